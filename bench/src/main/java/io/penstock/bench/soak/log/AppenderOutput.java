package io.penstock.bench.soak.log;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The messages of an appending process to the process that will kill it, one per line, each written at once: so a line
 * that arrived is complete, and its event happened before.
 */
final class AppenderOutput {

    private static final OutputStream OUT = new FileOutputStream(FileDescriptor.out);

    /** The ledger is open, and the records of the last process are in the database. */
    static final String READY = "ready";

    /** The process could not open the ledger, with the reason. */
    static final String REFUSED = "refused ";

    /** A message of the journal's recovery. */
    static final String RECOVERED = "recovered ";

    static final String BEGUN = "begun ";

    /** Stream, seq, writer, checksum of the body. */
    static final String ACCEPTED = "accepted ";

    /** Appends wait for room. */
    static final String HELD = "held";

    /** A promise was broken. */
    static final String WRONG = "wrong ";

    private AppenderOutput() {}

    static void print(String line) {
        write(line.replace('\n', ' ') + "\n");
    }

    static void accepted(StringBuilder lines) {
        write(lines.toString());
    }

    private static void write(String lines) {
        // A pipe takes up to 4096 bytes completely or not at all; longer writes hold a lock that a kill may interrupt.
        byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
        synchronized (OUT) {
            try {
                OUT.write(bytes);
            } catch (IOException e) {
                // The reader is gone, so there is nothing left to do.
                Runtime.getRuntime().halt(1);
            }
        }
    }
}
