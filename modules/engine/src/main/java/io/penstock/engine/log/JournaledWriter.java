package io.penstock.engine.log;

import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.StreamId;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/** The right to append to one stream, good until it is closed or another takes over. */
final class JournaledWriter implements StreamWriter {

    private final JournaledFrameLog log;
    private final StreamEntry entry;

    /** Null until something is held back, which most streams never see. */
    private @Nullable InOrder inOrder;

    private volatile boolean released;

    JournaledWriter(JournaledFrameLog log, StreamEntry entry) {
        this.log = log;
        this.entry = entry;
    }

    @Override
    public StreamId stream() {
        return entry.stream;
    }

    @Override
    public long nextSeq() {
        return log.nextSeq(entry);
    }

    @Override
    public Future<Frame> append(long timestampMs, FrameBody body) {
        Future<Frame> accepted = log.append(this, entry, timestampMs, body);
        InOrder others = inOrder;
        // One that is refused at once is not recorded, so it has no place among the others.
        if (accepted.isComplete() && (others == null || others.isIdle() || accepted.failed())) {
            return accepted;
        }
        if (others == null) {
            others = new InOrder();
            inOrder = others;
        }
        return others.behindOthers(accepted);
    }

    boolean isReleased() {
        return released;
    }

    @Override
    public void close() {
        released = true;
        log.release(this, entry);
    }
}
