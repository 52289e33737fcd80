package io.penstock.engine.artifact;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.artifact.file.AppendWindow;
import java.io.DataInputStream;
import java.io.EOFException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArtifactKillTest {
    private static final int ROUNDS = 5;

    @TempDir
    Path directory;

    @Test
    void storedBytesSurviveKill9AndUnrecordedOnesAreCut() throws Exception {
        Random random = new Random(1);
        for (int round = 0; round < ROUNDS; round++) {
            String id = "killed-" + round;
            long told = runAndKill(id, 1 + random.nextInt(400));
            try (ArtifactStore store = ArtifactStore.open(directory.resolve("artifacts"))) {
                Artifact left = store.find(id);
                assertNull(left.sealed());
                long there = left.storedBytes();
                assertTrue(there >= told, there + " of " + told + " bytes are there");
                assertTrue(
                        there <= told + GrowUntilKilled.LARGEST + AppendWindow.BYTES,
                        "one append may have been stored and not been told, and there may be room for more");
                byte[] content = GrowUntilKilled.content(id, (int) told);
                assertArrayEquals(content, left.read(0, (int) told));
                assertEquals(NaiveText.lines(left.read(0, Integer.MAX_VALUE)).size(), left.lineCount());

                Sealed sealed = await(store.recover(id, told));
                assertEquals(new Sealed(id, told, NaiveText.digest(content)), sealed);
                assertEquals(told, store.find(id).storedBytes());
                assertArrayEquals(content, store.find(id).read(0, Integer.MAX_VALUE));
                assertEquals(sealed, await(store.recover(id, told)), "asked again, the same");
                byte[] less = GrowUntilKilled.content(id, (int) told - 1);
                assertEquals(
                        NaiveText.digest(less),
                        await(store.recover(id, told - 1)).digest(),
                        "sealed before its last frame was accepted");
                assertEquals(told - 1, await(store.recover(id, told)).bytes(), "no more than there is");
                assertEquals(0, await(store.recover(id + ".empty", 0)).bytes());
                assertEquals(0, store.find(id + ".empty").storedBytes());
            }
        }
    }

    private long runAndKill(String id, int appends) throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        "-cp",
                        System.getProperty("java.class.path"),
                        GrowUntilKilled.class.getName(),
                        directory.resolve("artifacts").toString(),
                        id)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        long told = 0;
        int count = 0;
        try (DataInputStream stored = new DataInputStream(child.getInputStream())) {
            while (true) {
                told = stored.readLong();
                if (++count == appends) {
                    // By its handle, since destroying the Process would close the pipe with what is still in it.
                    child.toHandle().destroyForcibly();
                }
            }
        } catch (EOFException e) {
            assertTrue(count >= appends, "the child ended by itself");
        } finally {
            child.destroyForcibly();
        }
        child.waitFor();
        return told;
    }
}
