package io.penstock.engine.artifact;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A real small disk, filled and emptied again; only where a tmpfs may be mounted. */
public final class SmallDisk {

    private static final int PIECE_BYTES = 512;

    private final Path folder;
    private final Path ballast;

    public SmallDisk(Path folder, int bytes) throws Exception {
        this(folder, "size=" + bytes);
    }

    static SmallDisk withInodes(Path folder, int inodes) throws Exception {
        return new SmallDisk(folder, "nr_inodes=" + inodes);
    }

    private SmallDisk(Path folder, String limit) throws Exception {
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", limit, "tmpfs", folder.toString()), "no tmpfs can be mounted here");
        this.folder = folder;
        this.ballast = folder.resolve("ballast");
    }

    /** Up to the last byte. */
    public void fill() throws IOException {
        try (var out = Files.newOutputStream(ballast)) {
            while (true) {
                out.write(new byte[PIECE_BYTES]);
            }
        } catch (IOException e) {
            assertTrue(String.valueOf(e.getMessage()).contains("No space left"), e.toString());
        }
    }

    public void empty() throws IOException {
        Files.delete(ballast);
    }

    public void unmount() throws Exception {
        run("umount", folder.toString());
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
