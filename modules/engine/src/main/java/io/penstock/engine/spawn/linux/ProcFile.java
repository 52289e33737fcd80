package io.penstock.engine.spawn.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Files of /proc: small, made while they are read, and without a size to be asked. */
final class ProcFile {
    static final long ALL = Long.MAX_VALUE;

    private ProcFile() {}

    /**
     * What is in it; null if it cannot be read, as of a process that has gone or is another's.
     *
     * @param atOnce so many bytes with each call
     * @param most where to stop
     */
    static @Nullable String read(String file, int atOnce, long most) {
        int fd = (int) Libc.open(file, Layouts.O_RDONLY);
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
