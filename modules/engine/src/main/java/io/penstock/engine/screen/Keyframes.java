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
 * The keyframes of one task, in order in a file next to its output. They only save time: if one is damaged or missing, the previous one
 * is used. One thread adds at a time. Blocks.
 */
final class Keyframes {

    private static final Logger log = LoggerFactory.getLogger(Keyframes.class);

    /** An evicted screen and a new one may be of the same task. One lock for all suffices, as it is held for a write only. */
    private static final Object WRITE_LOCK = new Object();

    private final Artifact artifact;

    Keyframes(Artifact artifact) {
        this.artifact = artifact;
    }

    /**
     * Whether the next keyframe is due, because emulating from the last one to here takes some milliseconds. Two keyframes are at least a
     * 512th of the output before them apart, so there are some thousand at most.
     *
     * @param before bytes of output before the last keyframe
     * @param bytes bytes of output since then
     * @param emulated bytes of these that were emulated, as most of a flood need not be
     * @param work cost of the emulation in cells
     */
    static boolean isDue(long before, long bytes, long emulated, long work) {
        return isFarEnough(before, bytes)
                && (emulated >= Limits.SCREEN_KEYFRAME_BYTES
                        || bytes >= Limits.SCREEN_KEYFRAME_FAR_BYTES
                        || bytes >= Limits.SCREEN_BEHIND_BYTES && work >= Limits.SCREEN_KEYFRAME_CELLS);
    }

    /** Whether a screen about to be dropped is worth a keyframe. */
    static boolean isWorthKeeping(long before, long bytes) {
        return isFarEnough(before, bytes) && bytes >= Limits.SCREEN_BEHIND_BYTES;
    }

    private static boolean isFarEnough(long before, long bytes) {
        return bytes >= before / 512;
    }

    private record KeyframeEntry(long at, int bytes, long seq) {}

    /** The last keyframe at or before this frame, or null. */
    @Nullable
    Keyframe before(long seq) {
        long maxSeq = seq;
        try (FileChannel file = artifact.sidecar()) {
            while (true) {
                KeyframeEntry entry = last(file, maxSeq);
                if (entry == null) {
                    return null;
                }
                try {
                    return Keyframe.read(bytes(file, entry.at(), entry.bytes()));
                } catch (IOException e) {
                    log.warn("Ignoring a damaged keyframe of {}: {}", artifact.id(), e.getMessage());
                    maxSeq = entry.seq() - 1;
                }
            }
        } catch (Failure e) {
            if (e.code() == FailureCode.ARTIFACT_NOT_FOUND) {
                // No output has been written yet.
                return null;
            }
            throw e;
        } catch (IOException e) {
            log.warn("Cannot read the keyframes of {}: {}", artifact.id(), String.valueOf(e));
            return null;
        }
    }

    /** The first keyframe at or after this offset of the output, or null. */
    @Nullable
    Keyframe from(long offset) {
        Keyframe found = null;
        for (Keyframe next = before(Long.MAX_VALUE); next != null && next.offset() >= offset; ) {
            found = next;
            next = next.seq() == 0 ? null : before(next.seq() - 1);
        }
        return found;
    }

    /** Appends a keyframe, unless a later one exists. */
    void add(Keyframe keyframe) {
        ByteBuffer stored = keyframe.stored();
        synchronized (WRITE_LOCK) {
            add(keyframe.seq(), stored);
        }
    }

    private void add(long seq, ByteBuffer stored) {
        try (FileChannel file = artifact.sidecar()) {
            KeyframeEntry last = last(file, Long.MAX_VALUE);
            long end = last == null ? 0 : last.at() + last.bytes();
            if (last != null && last.seq() >= seq) {
                return;
            }
            // A server that crashed may have left a partial keyframe behind the last complete one.
            file.truncate(end);
            while (stored.hasRemaining()) {
                end += file.write(stored, end);
            }
        } catch (Failure | IOException e) {
            log.warn("Cannot store a keyframe of {}: {}", artifact.id(), String.valueOf(e));
        }
    }

    private static @Nullable KeyframeEntry last(FileChannel file, long mostSeq) throws IOException {
        long size = file.size();
        ByteBuffer header = ByteBuffer.allocate(16);
        KeyframeEntry found = null;
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
            found = new KeyframeEntry(at, (int) bytes, seq);
            at += bytes;
        }
        return found;
    }

    private static byte[] bytes(FileChannel file, long at, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            if (file.read(bytes, at + bytes.position()) < 0) {
                throw new IOException("the keyframe is truncated");
            }
        }
        return bytes.array();
    }
}
