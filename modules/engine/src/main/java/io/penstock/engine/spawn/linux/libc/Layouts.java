package io.penstock.engine.spawn.linux.libc;

/**
 * Sizes, offsets and constants of glibc's structures. All of them are the same on x86-64 and aarch64; those that differ (epoll_event,
 * O_DIRECTORY) are not used. For a new architecture every line here has to be checked.
 */
final class Layouts {
    static final int SPAWN_FILE_ACTIONS_BYTES = 80;
    static final int SPAWN_ATTRIBUTES_BYTES = 336;
    static final int SIGNAL_SET_BYTES = 128;

    static final short SPAWN_SETSIGDEF = 0x04;
    static final short SPAWN_SETSIGMASK = 0x08;
    static final short SPAWN_SETSID = 0x80;
    static final short SPAWN_SETCGROUP = 0x100;

    static final int O_RDONLY = 0;
    static final int O_RDWR = 2;
    static final int O_NOCTTY = 0x100;
    static final int O_NONBLOCK = 0x800;
    static final int O_CLOEXEC = 0x80000;

    static final int F_SETFL = 4;
    static final int F_GETFL = 3;
    static final int F_DUPFD_CLOEXEC = 1030;
    static final int F_SETPIPE_SZ = 1031;

    static final int P_PID = 1;
    static final int WNOHANG = 1;
    static final int WEXITED = 4;
    static final int SIGINFO_BYTES = 128;
    static final int SIGINFO_CODE = 8;
    static final int SIGINFO_PID = 16;
    static final int SIGINFO_STATUS = 24;
    static final int CLD_EXITED = 1;

    static final long TIOCGWINSZ = 0x5413;
    static final long TIOCSWINSZ = 0x5414;
    static final int WINSIZE_BYTES = 8;
    static final int WINSIZE_ROWS = 0;
    static final int WINSIZE_COLS = 2;

    static final int TERMIOS_BYTES = 60;
    static final int TERMIOS_INPUT = 0;
    static final int TERMIOS_LOCAL = 12;
    static final int INPUT_IUTF8 = 0x4000;
    static final int LOCAL_LINES = 0x2;
    static final int LOCAL_ECHO = 0x8;
    static final int TCSANOW = 0;

    static final long SYSCALL_PIDFD_OPEN = 434;
    static final int PR_SET_CHILD_SUBREAPER = 36;

    private Layouts() {}

    static boolean supports(String architecture) {
        return architecture.equals("amd64") || architecture.equals("aarch64");
    }
}
