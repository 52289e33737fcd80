package io.penstock.engine.artifact.file;

import io.penstock.engine.artifact.hole.Hole;
import io.penstock.frames.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that takes up room on the disk for a start that has none: Postgres and the journal cannot begin on a full disk, and then nothing
 * could be removed either. Such a start deletes it; it is made again when there is room. Its calls block.
 */
public final class Ballast {

    /** Free beside it for it to be made: it is for an emergency, and is not to cause one. */
    private static final long ROOM_BYTES = 3 * Limits.BALLAST_BYTES;

    private static final Logger log = LoggerFactory.getLogger(Ballast.class);

    private final Path file;
    private boolean impossible;

    public Ballast(Path folder) {
        this.file = folder.resolve("ballast");
    }

    /** Gives its room to a start that lacks it; says whether the start did. */
    public boolean releaseIfShort() throws IOException {
        if (free() >= Limits.BALLAST_BYTES) {
            return false;
        }
        if (Files.deleteIfExists(file)) {
            log.warn("The disk is full: the {} bytes of the ballast are released for this start", Limits.BALLAST_BYTES);
        }
        return true;
    }

    /** Makes it where it is missing and there is room. One that cannot be made is not tried again. */
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
