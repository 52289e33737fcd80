package io.penstock.bench.attach;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a command waits until everybody is there: a server that records nothing has nothing for those who come late. */
record Gate(Path pipe) {

    static Gate in(Path folder) throws IOException, InterruptedException {
        Path pipe = Files.createTempDirectory(folder, "gate-").resolve("pipe");
        if (new ProcessBuilder("mkfifo", pipe.toString()).inheritIO().start().waitFor() != 0) {
            throw new IOException("mkfifo could not make " + pipe);
        }
        return new Gate(pipe);
    }

    /** What the command does until it is let go on. */
    String waiting() {
        return "read -r go < " + pipe;
    }

    /** Returns when the command is there. */
    void letGoOn() throws IOException {
        Files.writeString(pipe, "go\n");
    }
}
