package io.penstock.engine.spawn.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.penstock.engine.spawn.linux.libc.Descriptors;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Files of /proc: small, generated while they are read, and without a known size. */
final class ProcFile {
    static final long ALL = Long.MAX_VALUE;

    private ProcFile() {}

    /**
     * The file's content; null if it cannot be read, as that of an ended process or of another user's.
     *
     * @param atOnce bytes per call
     * @param most maximum bytes in all
     */
    static @Nullable String read(String file, int atOnce, long most) {
        int fd = Descriptors.openToRead(file);
        if (fd < 0) {
            return null;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(atOnce);
            var text = new StringBuilder();
            for (long length = 1; length > 0 && text.length() < most; ) {
                length = Descriptors.read(fd, buffer, atOnce);
                if (length < 0) {
                    return null;
                }
                for (long i = 0; i < length; i++) {
                    text.append((char) buffer.get(JAVA_BYTE, i));
                }
            }
            return text.toString();
        } finally {
            Descriptors.close(fd);
        }
    }
}
