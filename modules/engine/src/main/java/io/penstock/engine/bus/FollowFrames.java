package io.penstock.engine.bus;

import org.jspecify.annotations.Nullable;

/**
 * Asks for a task's frames. They come as {@link FramePage}s to {@code address}, each as a request: its reply, whatever it is, asks
 * for the next, so who is slow waits alone, and nothing is kept for it but its place. A reply that fails, or none for
 * {@link FrameService#PATIENCE_SECONDS} seconds, ends the following.
 *
 * @param fromSeq the first frame that is wanted; null is the next to come
 * @param untilEnd whether to stop after the frame that tells the task's end
 */
public record FollowFrames(String taskId, @Nullable Long fromSeq, String address, boolean untilEnd) {

    public FollowFrames {
        if (address.isBlank()) {
            throw new IllegalArgumentException("FollowFrames names the address that the frames are sent to");
        }
        if (fromSeq != null && fromSeq < 0) {
            throw new IllegalArgumentException("fromSeq is 0 or more, not " + fromSeq);
        }
    }
}
