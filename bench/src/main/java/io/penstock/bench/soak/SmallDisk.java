package io.penstock.bench.soak;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/** A real file system of a few megabytes, which can be filled and freed. */
public final class SmallDisk {

    private static final int BLOCK = 4096;

    private final Path mountedAt;
    private final Path filler;

    private SmallDisk(Path mountedAt) {
        this.mountedAt = mountedAt;
        this.filler = mountedAt.resolve("filler");
    }

    public static SmallDisk mount(Path at, long bytes) throws CannotRun, IOException, InterruptedException {
        if (!run("mount", "-t", "tmpfs", "-o", "size=" + bytes, "tmpfs", at.toString())) {
            throw new CannotRun("as no tmpfs can be mounted here (that takes root)");
        }
        var disk = new SmallDisk(at);
        // A soak is often ended by Ctrl-C, which the mount would outlive.
        Runtime.getRuntime().addShutdownHook(new Thread(disk::unmountQuietly));
        return disk;
    }

    /** Uses up all free space; space freed meanwhile stays free. */
    public void fill() throws IOException {
        ByteBuffer zeros = ByteBuffer.allocate(BLOCK);
        try (FileChannel channel = FileChannel.open(
                filler, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            while (true) {
                channel.write(zeros.clear());
            }
        } catch (IOException e) {
            if (!String.valueOf(e.getMessage()).contains("No space left")) {
                throw e;
            }
        }
    }

    public void free() throws IOException {
        Files.deleteIfExists(filler);
    }

    public void unmount() throws IOException, InterruptedException {
        // Lazily, since a killed process may take a moment to disappear.
        run("umount", "-l", mountedAt.toString());
    }

    private void unmountQuietly() {
        try {
            unmount();
        } catch (IOException e) {
            System.err.println("penstock: " + mountedAt + " could not be unmounted: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            // The program does not exist.
            return false;
        }
    }
}
