package io.penstock.engine.screen;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A damaged file of keyframes does not change any screen. */
final class BrokenKeyframesTest extends OnScreenGround {

    @Test
    void damagedFileDoesNotChangeTheScreen() throws Exception {
        String task = ground.spawn(24, 80, "/bin/bash", "-c", "seq 600000; printf '\\e[7mend'");
        long last = ground.frames(task).getLast().seq();
        ScreenSnapshot whole = await(ground.screens.now(task, () -> false));
        ScreenSnapshot middle = await(ground.screens.at(task, last / 2, () -> false));
        ground.forgetScreens();
        Path file = sidecar(task);
        byte[] kept = Files.readAllBytes(file);
        assertTrue(kept.length > 2 * Keyframe.HEADER_BYTES, kept.length + " bytes of keyframes");
        var random = new Random(1);
        for (int i = 0; i < 60; i++) {
            byte[] broken = kept.clone();
            if (i % 3 == 0) {
                broken = Arrays.copyOf(kept, random.nextInt(kept.length));
            } else {
                int at = i % 3 == 1 ? random.nextInt(Keyframe.HEADER_BYTES) : random.nextInt(kept.length);
                ByteBuffer.wrap(broken).put(at, (byte) random.nextInt(256));
            }
            Files.write(file, broken);
            assertEquals(whole, await(ground.screens.now(task, () -> false)), "broken the " + i + "th time");
            assertEquals(middle, await(ground.screens.at(task, last / 2, () -> false)), "broken the " + i + "th time");
            ground.forgetScreens();
        }
    }

    @Test
    void screensAreComputedWithoutKeyframes() throws Exception {
        String task = ground.spawn(24, 80, "/bin/bash", "-c", "echo ready; read go; seq 600000; echo end");
        ground.untilText(task, "ready");
        ground.forgetScreens();
        // Root may write to any file, so a folder blocks the path.
        Files.deleteIfExists(sidecar(task));
        Files.createDirectory(sidecar(task));
        ground.type(task, "\n");
        ground.frames(task);
        assertTrue(await(ground.screens.now(task, () -> false)).screen().text().contains("end"));
        Files.delete(sidecar(task));
    }

    @Test
    void rubbishOfManyMegabytesIsNotReadAsKeyframes() throws Exception {
        String task = ground.spawn(24, 80, "/bin/bash", "-c", "seq 300000");
        ground.frames(task);
        ScreenSnapshot whole = await(ground.screens.now(task, () -> false));
        ground.forgetScreens();
        byte[] rubbish = new byte[8 << 20];
        new Random(2).nextBytes(rubbish);
        for (byte[] first :
                List.of(new byte[] {0x7f, -1, -1, -1}, new byte[] {-1, -1, -1, -1}, new byte[] {0, 64, 0, 0})) {
            System.arraycopy(first, 0, rubbish, 0, 4);
            Files.write(sidecar(task), rubbish);
            assertEquals(whole, await(ground.screens.now(task, () -> false)));
            ground.forgetScreens();
        }
        // The next keyframe overwrites it.
        try (FileChannel file = FileChannel.open(sidecar(task), StandardOpenOption.WRITE)) {
            file.truncate(100);
        }
        assertEquals(whole, await(ground.screens.now(task, () -> false)));
    }

    private Path sidecar(String task) {
        return Path.of(ground.artifacts.find(task + ".pty").file().toString().replace(".bytes", ".screens"));
    }
}
