package io.penstock.engine.spawn.linux.libc;

/** The descriptors 0, 1 and 2 of a child. */
public sealed interface Stdio {
    /** All three are a terminal; the child opens it, so it becomes the controlling terminal of the child's session. */
    record OfTerminal(String name) implements Stdio {}

    /** Three descriptors of this process; an input of -1 means /dev/null. */
    record OfPipes(int input, int output, int errors) implements Stdio {}
}
