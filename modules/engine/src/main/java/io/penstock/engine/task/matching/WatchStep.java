package io.penstock.engine.task.matching;

import io.penstock.frames.Channel;
import io.vertx.core.Future;

/** A step for a task's watchers, in the order of its frames. */
sealed interface WatchStep {

    /**
     * Recorded output, to be matched.
     *
     * @param offset offset of {@code bytes[from]}, counted from the channel's first byte
     * @param seq the frame that recorded it
     */
    record Output(Channel channel, long offset, byte[] bytes, int from, int to, long seq) implements WatchStep {

        int length() {
            return to - from;
        }

        Output first(int length) {
            return new Output(channel, offset, bytes, from, from + length, seq);
        }

        Output recordedBy(long frame) {
            return new Output(channel, offset, bytes, from, to, frame);
        }

        Output after(int length) {
            return new Output(channel, offset + length, bytes, from + length, to, seq);
        }
    }

    /** The output pauses: a prompt may be complete without a line end. */
    record Pause(Channel channel) implements WatchStep {}

    /** No output follows. */
    record End(Channel channel) implements WatchStep {}

    /**
     * Watchers that match the output from here on, and that of earlier frames.
     *
     * @param fromSeq the first of the earlier frames; {@code endSeq} for none
     * @param endSeq the frame that records the watchers
     * @param recorded completes when that frame is accepted
     */
    record Join(WatchGroup group, long fromSeq, long endSeq, Future<?> recorded) implements WatchStep {}
}
