package io.penstock.engine.spawn.linux;

/** A call of the kernel or the C library failed during the start of a program. */
final class CallFailed extends Exception {
    private static final long serialVersionUID = 1L;

    private final String call;
    private final int errno;

    CallFailed(String call, int errno) {
        super(call + ": " + Errno.words(errno));
        this.call = call;
        this.errno = errno;
    }

    String call() {
        return call;
    }

    int errno() {
        return errno;
    }

    /** The result, unless it is -errno. */
    static long check(String call, long result) throws CallFailed {
        if (result < 0) {
            throw new CallFailed(call, (int) -result);
        }
        return result;
    }
}
