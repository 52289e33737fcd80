package io.penstock.engine.spawn;

/** How a program ended, according to the status that was reaped. */
public sealed interface ProcessExit {
    /** It exited. */
    record Exited(int code) implements ProcessExit {
        public Exited {
            if (code < 0 || code > 255) {
                throw new IllegalArgumentException("an exit code is 0 to 255, not " + code);
            }
        }
    }

    /** A signal ended it. */
    record Killed(int signal) implements ProcessExit {
        public Killed {
            if (signal < 1 || signal > 64) {
                throw new IllegalArgumentException("a signal number is 1 to 64, not " + signal);
            }
        }
    }

    /** It has ended, but its status was reaped elsewhere. */
    record Unseen(String why) implements ProcessExit {}
}
