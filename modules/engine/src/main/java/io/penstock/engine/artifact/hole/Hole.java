package io.penstock.engine.artifact.hole;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Punches holes into files, which frees their blocks and keeps their length and all other bytes; and allocates blocks. */
@SuppressWarnings("restricted") // this class exists to call the C library
public final class Hole {

    private static final int O_WRONLY = 1;
    // The same on all supported architectures of Linux, except O_NOFOLLOW, which differs on arm64.
    private static final int O_NOFOLLOW = System.getProperty("os.arch", "").equals("aarch64") ? 0x8000 : 0x20000;
    private static final int O_CLOEXEC = 0x80000;
    private static final int KEEP_SIZE = 1;
    private static final int PUNCH_HOLE = 2;
    private static final int PROBE_BYTES = 8192;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option WITH_ERRNO = Linker.Option.captureCallState("errno");
    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final MethodHandle OPEN = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("open"),
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
            WITH_ERRNO,
            Linker.Option.firstVariadicArg(2));
    private static final MethodHandle FALLOCATE = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("fallocate"),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG),
            WITH_ERRNO);
    private static final MethodHandle CLOSE = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("close"), FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private Hole() {}

    /** Frees the blocks of a range, which reads as zeros from then on. */
    public static void punch(Path file, long from, long to) throws IOException {
        change(file, PUNCH_HOLE | KEEP_SIZE, from, to - from, "punched");
    }

    /** Allocates blocks for the first bytes of a file. */
    public static void allocate(Path file, long bytes) throws IOException {
        change(file, 0, 0, bytes, "filled");
    }

    private static void change(Path file, int how, long from, long bytes, String what) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            MemorySegment path = arena.allocateFrom(file.toString());
            int descriptor = (int) OPEN.invokeExact(state, path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
            if (descriptor < 0) {
                throw failed(file, "opened", state);
            }
            int punched = (int) FALLOCATE.invokeExact(state, descriptor, how, from, bytes);
            IOException failure = punched < 0 ? failed(file, what, state) : null;
            int ignored = (int) CLOSE.invokeExact(descriptor);
            if (failure != null) {
                throw failure;
            }
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("A call into the C library threw.", e);
        }
    }

    private static IOException failed(Path file, String what, MemorySegment state) {
        return new IOException(file.getFileName() + " cannot be " + what + ": errno " + (int) ERRNO.get(state, 0L));
    }

    /** Whether the file system of a folder supports holes. */
    public static boolean isPossibleIn(Path folder) {
        Path probe = null;
        try {
            probe = Files.createTempFile(folder, "hole", "");
            // Without blocks, because the disk may be full.
            try (var file = new RandomAccessFile(probe.toFile(), "rw")) {
                file.setLength(PROBE_BYTES);
            }
            punch(probe, 0, PROBE_BYTES / 2);
            return true;
        } catch (IOException e) {
            return false;
        } finally {
            delete(probe);
        }
    }

    private static void delete(@Nullable Path probe) {
        try {
            if (probe != null) {
                Files.deleteIfExists(probe);
            }
        } catch (IOException e) {
            // The probe has no blocks, so it may stay.
            return;
        }
    }
}
