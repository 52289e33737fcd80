package io.penstock.bench.attach;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A pipe at which a command waits until all viewers are attached: a server that records nothing has nothing for
 * latecomers.
 */
record Gate(Path pipe) {

    static Gate in(Path folder) throws IOException, InterruptedException {
        Path pipe = Files.createTempDirectory(folder, "gate-").resolve("pipe");
        if (new ProcessBuilder("mkfifo", pipe.toString()).inheritIO().start().waitFor() != 0) {
            throw new IOException("mkfifo could not make " + pipe);
        }
        return new Gate(pipe);
    }

    /** The shell code that waits until the gate opens. */
    String waiting() {
        return "read -r go < " + pipe;
    }

    /** Returns when the command has arrived and been released. */
    void release() throws IOException {
        Files.writeString(pipe, "go\n");
    }
}
