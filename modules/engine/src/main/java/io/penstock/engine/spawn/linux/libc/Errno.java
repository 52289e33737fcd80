package io.penstock.engine.spawn.linux.libc;

/** The kernel's error numbers, which are the same on all supported architectures, and their descriptions. */
public final class Errno {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int ESRCH = 3;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int ENXIO = 6;
    public static final int E2BIG = 7;
    public static final int ENOEXEC = 8;
    public static final int ECHILD = 10;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int ENOTDIR = 20;
    public static final int ENFILE = 23;
    public static final int EMFILE = 24;
    public static final int ETXTBSY = 26;
    public static final int ENOSPC = 28;
    public static final int EPIPE = 32;
    public static final int ENAMETOOLONG = 36;
    public static final int ELOOP = 40;

    private Errno() {}

    public static String words(int errno) {
        return switch (errno) {
            case EPERM -> "not permitted";
            case ENOENT -> "no such file or directory";
            case ESRCH -> "no such process";
            case EINTR -> "interrupted";
            case EIO -> "input/output error";
            case ENXIO -> "no such device";
            case E2BIG -> "arguments and environment are too long";
            case ENOEXEC -> "neither a program for this machine nor a script with a #! line";
            case ECHILD -> "no such child";
            case EAGAIN -> "a limit on processes is reached";
            case ENOMEM -> "out of memory";
            case EACCES -> "permission denied";
            case ENOTDIR -> "not a directory";
            case ENFILE -> "the system has too many open files";
            case EMFILE -> "this server has too many open files";
            case ETXTBSY -> "it is being written to";
            case ENOSPC -> "no space or no free number left";
            case EPIPE -> "the reading end is closed";
            case ENAMETOOLONG -> "its name is too long";
            case ELOOP -> "too many symbolic links";
            default -> "error " + errno;
        };
    }
}
