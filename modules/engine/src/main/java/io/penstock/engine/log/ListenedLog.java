package io.penstock.engine.log;

import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.StreamId;
import io.vertx.core.Future;
import java.util.List;

/** A log that calls listeners with each frame written through it, in stream order, once it is accepted. */
public final class ListenedLog implements FrameLog {

    private final FrameLog log;
    private final List<FrameListener.Source> sources;

    public ListenedLog(FrameLog log, List<FrameListener.Source> sources) {
        this.log = log;
        this.sources = List.copyOf(sources);
    }

    @Override
    public Future<StreamWriter> create(StreamId stream) {
        return log.create(stream).map(ListenedWriter::new);
    }

    @Override
    public Future<StreamWriter> open(StreamId stream) {
        return log.open(stream).map(ListenedWriter::new);
    }

    @Override
    public Future<StreamWriter> takeOver(StreamId stream) {
        return log.takeOver(stream).map(ListenedWriter::new);
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

    private final class ListenedWriter implements StreamWriter {
        private final StreamWriter writer;
        private final List<FrameListener> listeners;

        ListenedWriter(StreamWriter writer) {
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
                notifyListeners(appended.result());
                return appended;
            }
            return appended.onSuccess(this::notifyListeners);
        }

        private void notifyListeners(Frame frame) {
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
