package io.penstock.engine.spawn.linux;

/** What a child gets as its descriptors 0, 1 and 2. */
sealed interface Stdio {
    /** All three are a terminal, which becomes the controlling one of the child's session because the child is who opens it. */
    record OfTerminal(String name) implements Stdio {}

    /** Three descriptors of ours; an input of -1 is /dev/null. */
    record OfPipes(int input, int output, int errors) implements Stdio {}
}
