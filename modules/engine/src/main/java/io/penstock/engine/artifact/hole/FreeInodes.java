package io.penstock.engine.artifact.hole;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** How many files a file system still has room for, whatever their size. The JDK does not say. */
@SuppressWarnings("restricted") // this class exists to call the C library
public final class FreeInodes {

    /** More than {@code struct statvfs} has in any C library of 64-bit Linux; its first eleven fields have eight bytes each. */
    private static final int STATVFS_BYTES = 256;

    private static final int F_FILES = 40;
    private static final int F_FAVAIL = 56;

    /** Null where the structure has another layout. */
    private static final @Nullable MethodHandle STATVFS = find();

    private FreeInodes() {}

    private static @Nullable MethodHandle find() {
        Linker linker = Linker.nativeLinker();
        return System.getProperty("os.name", "").equals("Linux") && ADDRESS.byteSize() == Long.BYTES
                ? linker.defaultLookup()
                        .find("statvfs")
                        .map(found -> linker.downcallHandle(found, FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS)))
                        .orElse(null)
                : null;
    }

    /** {@link Long#MAX_VALUE} if it is not known, or if the file system has no limit of its own, as btrfs. */
    public static long of(Path folder) {
        if (STATVFS == null) {
            return Long.MAX_VALUE;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment stat = arena.allocate(STATVFS_BYTES, Long.BYTES);
            int failed = (int) STATVFS.invokeExact(arena.allocateFrom(folder.toString()), stat);
            return failed != 0 || stat.get(JAVA_LONG, F_FILES) == 0 ? Long.MAX_VALUE : stat.get(JAVA_LONG, F_FAVAIL);
        } catch (Throwable e) {
            throw new AssertionError("A call into the C library threw.", e);
        }
    }
}
