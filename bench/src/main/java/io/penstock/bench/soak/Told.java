package io.penstock.bench.soak;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * What an appending process tells the one that will kill it, a line each, written at once: so a line that arrived is whole,
 * and what it says had happened before.
 */
final class Told {

    private static final OutputStream OUT = new FileOutputStream(FileDescriptor.out);

    /** The ledger is open, and what was left of the last process is in the database. */
    static final String READY = "ready";

    /** The process gave up opening for now, and why. */
    static final String REFUSED = "refused ";

    /** What the journal's recovery had to say. */
    static final String RECOVERED = "recovered ";

    static final String BEGUN = "begun ";

    /** Stream, seq, writer, checksum of the body. */
    static final String ACCEPTED = "accepted ";

    /** Appends wait for room. */
    static final String HELD = "held";

    /** Something was not as promised. */
    static final String WRONG = "wrong ";

    private Told() {}

    static void say(String line) {
        write(line.replace('\n', ' ') + "\n");
    }

    static void accepted(StringBuilder lines) {
        write(lines.toString());
    }

    private static void write(String lines) {
        // Up to 4096 bytes a pipe takes whole or not at all; more are written under a lock that a kill may break into.
        byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
        synchronized (OUT) {
            try {
                OUT.write(bytes);
            } catch (IOException e) {
                // Nobody listens any more, so there is nothing left to do here.
                Runtime.getRuntime().halt(1);
            }
        }
    }
}
