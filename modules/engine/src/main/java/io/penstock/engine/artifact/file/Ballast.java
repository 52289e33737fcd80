package io.penstock.engine.artifact.file;

import io.penstock.engine.artifact.hole.Hole;
import io.penstock.frames.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that reserves disk space for a start on a full disk: Postgres and the journal cannot start without space, and then retention
 * could free none. Such a start deletes the file; it is created again when there is space. All calls block.
 */
public final class Ballast {

    /** The free space that is required to create the ballast, so that it does not fill the disk itself. */
    private static final long ROOM_BYTES = 3 * Limits.BALLAST_BYTES;

    private static final Logger log = LoggerFactory.getLogger(Ballast.class);

    private final Path file;
    private boolean impossible;

    public Ballast(Path folder) {
        this.file = folder.resolve("ballast");
    }

    /** Deletes the ballast if the disk is short of space; returns whether it is. */
    public boolean releaseIfShort() throws IOException {
        if (free() >= Limits.BALLAST_BYTES) {
            return false;
        }
        if (Files.deleteIfExists(file)) {
            log.warn("The disk is full: the {} bytes of the ballast are released for this start", Limits.BALLAST_BYTES);
        }
        return true;
    }

    /** Creates the ballast if it is missing and there is space. A failed attempt is not repeated. */
    public synchronized void restore() {
        if (impossible || Files.exists(file) || free() < ROOM_BYTES) {
            return;
        }
        try {
            create();
        } catch (IOException e) {
            impossible = true;
            log.warn("The ballast cannot be made, so a start on a full disk will fail: {}", String.valueOf(e));
        }
    }

    private void create() throws IOException {
        ArtifactFiles.create(file).close();
        try {
            Hole.allocate(file, Limits.BALLAST_BYTES);
        } catch (IOException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    private long free() {
        return file.resolveSibling("").toFile().getUsableSpace();
    }
}
