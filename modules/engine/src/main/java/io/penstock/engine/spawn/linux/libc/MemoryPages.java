package io.penstock.engine.spawn.linux.libc;

/** The pages in which the kernel counts memory. */
public final class MemoryPages {

    /** Size of a page. */
    public static final int BYTES = size();

    private MemoryPages() {}

    private static int size() {
        try {
            return (int) Libc.GETPAGESIZE.invokeExact();
        } catch (Throwable e) {
            throw Libc.unexpected(e);
        }
    }
}
