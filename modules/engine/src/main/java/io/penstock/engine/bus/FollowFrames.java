package io.penstock.engine.bus;

import org.jspecify.annotations.Nullable;

/**
 * Requests a task's frames. They are sent as {@link FramePage}s to {@code address}, each as a request. Any reply requests the next page,
 * so a slow consumer delays only itself, and the server keeps only its position. A failed reply, or none within
 * {@link FrameService#REPLY_TIMEOUT_SECONDS} seconds, ends the sending.
 *
 * @param fromSeq the first frame; null for the next new one
 * @param untilEnd whether to stop after the frame that records the task's end
 */
public record FollowFrames(String taskId, @Nullable Long fromSeq, String address, boolean untilEnd) {

    public FollowFrames {
        if (address.isBlank()) {
            throw new IllegalArgumentException("FollowFrames needs an address to send the frames to");
        }
        if (fromSeq != null && fromSeq < 0) {
            throw new IllegalArgumentException("fromSeq must be 0 or more, not " + fromSeq);
        }
    }
}
