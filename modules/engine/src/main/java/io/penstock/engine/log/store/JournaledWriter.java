package io.penstock.engine.log.store;

import io.penstock.engine.log.StreamWriter;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.StreamId;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/** The right to append to one stream, valid until it is closed or another writer takes over. */
final class JournaledWriter implements StreamWriter {

    private final JournaledFrameLog log;
    private final StreamEntry entry;

    /** Null until a write has to wait, which is rare. */
    private @Nullable OrderedCompletions inOrder;

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
        OrderedCompletions earlier = inOrder;
        // An append that is refused at once is not recorded, so it has no place in the order.
        if (accepted.isComplete() && (earlier == null || earlier.isIdle() || accepted.failed())) {
            return accepted;
        }
        if (earlier == null) {
            earlier = new OrderedCompletions();
            inOrder = earlier;
        }
        return earlier.afterEarlier(accepted);
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
