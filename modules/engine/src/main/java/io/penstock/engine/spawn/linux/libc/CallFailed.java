package io.penstock.engine.spawn.linux.libc;

/** A call of the kernel or the C library failed during the start of a program. */
public final class CallFailed extends Exception {
    private static final long serialVersionUID = 1L;

    private final String call;
    private final int errno;

    public CallFailed(String call, int errno) {
        super(call + ": " + Errno.words(errno));
        this.call = call;
        this.errno = errno;
    }

    public String call() {
        return call;
    }

    public int errno() {
        return errno;
    }

    /** The result, unless it is -errno. */
    public static long check(String call, long result) throws CallFailed {
        if (result < 0) {
            throw new CallFailed(call, (int) -result);
        }
        return result;
    }
}
