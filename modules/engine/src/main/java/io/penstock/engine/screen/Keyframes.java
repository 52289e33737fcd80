package io.penstock.engine.screen;

import io.penstock.engine.artifact.Artifact;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keyframes of one task, one behind the other in a file beside its output. Nothing depends on them but time: where one is
 * damaged or missing, the one before is used. Added by one at a time. Blocks.
 */
final class Keyframes {

    private static final Logger log = LoggerFactory.getLogger(Keyframes.class);

    /** A screen that is let go of and one that is made anew may be of the same task; it is a matter of a write. */
    private static final Object ONE_AT_A_TIME = new Object();

    private final Artifact artifact;

    Keyframes(Artifact artifact) {
        this.artifact = artifact;
    }

    /**
     * Whether the next is due, as it takes some milliseconds to come here from the one before; at least the five-hundredth part of
     * what is before that lies between them, so they become some thousand at most.
     *
     * @param before how much output is before the last one
     * @param bytes that have been written since
     * @param emulated so many of these, since most of a flood need not be
     */
    static boolean isDue(long before, long bytes, long emulated) {
        return isFarEnough(before, bytes)
                && (emulated >= Limits.SCREEN_KEYFRAME_BYTES || bytes >= Limits.SCREEN_KEYFRAME_FAR_BYTES);
    }

    /** Whether one is to be kept of a screen that is there now, and would have to be made again. */
    static boolean isWorthIt(long before, long bytes) {
        return isFarEnough(before, bytes) && bytes >= Limits.SCREEN_BEHIND_BYTES;
    }

    private static boolean isFarEnough(long before, long bytes) {
        return bytes >= before / 512;
    }

    private record Place(long at, int bytes, long seq) {}

    /** The last one at this frame or before, or null. */
    @Nullable
    Keyframe before(long seq) {
        long most = seq;
        try (FileChannel file = artifact.sidecar()) {
            while (true) {
                Place place = last(file, most);
                if (place == null) {
                    return null;
                }
                try {
                    return Keyframe.read(bytes(file, place.at(), place.bytes()));
                } catch (IOException e) {
                    log.warn("A keyframe of {} is left out: {}", artifact.id(), e.getMessage());
                    most = place.seq() - 1;
                }
            }
        } catch (Failure e) {
            if (e.code() == FailureCode.ARTIFACT_NOT_FOUND) {
                // No byte was written yet.
                return null;
            }
            throw e;
        } catch (IOException e) {
            log.warn("The keyframes of {} cannot be read: {}", artifact.id(), String.valueOf(e));
            return null;
        }
    }

    /** Keeps one more, later than all that are there. */
    void add(Keyframe keyframe) {
        ByteBuffer stored = keyframe.stored();
        synchronized (ONE_AT_A_TIME) {
            add(keyframe.seq(), stored);
        }
    }

    private void add(long seq, ByteBuffer stored) {
        try (FileChannel file = artifact.sidecar()) {
            Place last = last(file, Long.MAX_VALUE);
            long end = last == null ? 0 : last.at() + last.bytes();
            if (last != null && last.seq() >= seq) {
                return;
            }
            // What is behind the last whole one was left by a server that died.
            file.truncate(end);
            while (stored.hasRemaining()) {
                end += file.write(stored, end);
            }
        } catch (Failure | IOException e) {
            log.warn("A keyframe of {} could not be kept: {}", artifact.id(), String.valueOf(e));
        }
    }

    private static @Nullable Place last(FileChannel file, long mostSeq) throws IOException {
        long size = file.size();
        ByteBuffer header = ByteBuffer.allocate(16);
        Place found = null;
        for (long at = 0; at + Keyframe.HEADER_BYTES <= size; ) {
            header.clear();
            if (file.read(header, at) < header.capacity()) {
                break;
            }
            long bytes = Keyframe.HEADER_BYTES + (long) header.getInt(0);
            long seq = header.getLong(8);
            if (bytes < Keyframe.HEADER_BYTES || bytes > Integer.MAX_VALUE - 16 || at + bytes > size || seq > mostSeq) {
                break;
            }
            found = new Place(at, (int) bytes, seq);
            at += bytes;
        }
        return found;
    }

    private static byte[] bytes(FileChannel file, long at, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            if (file.read(bytes, at + bytes.position()) < 0) {
                throw new IOException("A keyframe ends early");
            }
        }
        return bytes.array();
    }
}
