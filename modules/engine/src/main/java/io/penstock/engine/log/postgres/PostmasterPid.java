package io.penstock.engine.log.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The parts of Postgres' file postmaster.pid used here: the process id on line 1, the status on line 8. */
record PostmasterPid(long pid, String status) {

    static Path file(Path dataDirectory) {
        return dataDirectory.resolve("postmaster.pid");
    }

    /**
     * Empty if there is no such file or it does not begin with a number (the disk was full, or it is being written).
     */
    static Optional<PostmasterPid> read(Path dataDirectory) throws IOException {
        try {
            List<String> lines = Files.readAllLines(file(dataDirectory));
            if (lines.isEmpty() || !lines.getFirst().strip().matches("[0-9]{1,18}")) {
                return Optional.empty();
            }
            return Optional.of(new PostmasterPid(
                    Long.parseLong(lines.getFirst().strip()),
                    lines.size() < 8 ? "" : lines.get(7).strip()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    boolean isReady() {
        return status.equals("ready");
    }
}
