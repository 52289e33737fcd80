package io.penstock.engine.log;

import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.StreamId;
import io.vertx.core.Future;
import java.util.List;

/** A log that tells listeners of each frame that is written through it, in the order of its stream, once it is accepted. */
public final class ListenedLog implements FrameLog {

    private final FrameLog log;
    private final List<FrameListener.Source> sources;

    public ListenedLog(FrameLog log, List<FrameListener.Source> sources) {
        this.log = log;
        this.sources = List.copyOf(sources);
    }

    @Override
    public Future<StreamWriter> begin(StreamId stream) {
        return log.begin(stream).map(Listened::new);
    }

    @Override
    public Future<StreamWriter> open(StreamId stream) {
        return log.open(stream).map(Listened::new);
    }

    @Override
    public Future<StreamWriter> takeOver(StreamId stream) {
        return log.takeOver(stream).map(Listened::new);
    }

    @Override
    public Future<Page> read(StreamId stream, long fromSeq, int maxFrames) {
        return log.read(stream, fromSeq, maxFrames);
    }

    @Override
    public Future<Long> nextSeq(StreamId stream) {
        return log.nextSeq(stream);
    }

    @Override
    public FrameFollower follow(StreamId stream, long fromSeq) {
        return log.follow(stream, fromSeq);
    }

    @Override
    public Future<Void> close() {
        return log.close();
    }

    private final class Listened implements StreamWriter {
        private final StreamWriter writer;
        private final List<FrameListener> listeners;

        Listened(StreamWriter writer) {
            this.writer = writer;
            this.listeners =
                    sources.stream().map(source -> source.of(writer.stream())).toList();
        }

        @Override
        public StreamId stream() {
            return writer.stream();
        }

        @Override
        public long nextSeq() {
            return writer.nextSeq();
        }

        @Override
        public Future<Frame> append(long timestampMs, FrameBody body) {
            Future<Frame> appended = writer.append(timestampMs, body);
            if (appended.succeeded()) {
                tell(appended.result());
                return appended;
            }
            return appended.onSuccess(this::tell);
        }

        private void tell(Frame frame) {
            for (int i = 0; i < listeners.size(); i++) {
                listeners.get(i).accepted(frame);
            }
        }

        @Override
        public void close() {
            writer.close();
        }
    }
}
