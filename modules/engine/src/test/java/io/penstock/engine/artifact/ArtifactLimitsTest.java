package io.penstock.engine.artifact;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
class ArtifactLimitsTest {
    @TempDir
    Path directory;

    @Test
    void moreBytesThanAnIntCountsAreCountedAndCapped() throws Exception {
        long cap = 16 << 20;
        ByteBuffer chunk = ByteBuffer.allocateDirect(64 << 10);
        try (ArtifactStore store = ArtifactStore.open(directory.resolve("artifacts"))) {
            ArtifactWriter writer = store.create("giant", cap);
            long stored = 0;
            for (int i = 0; i < 33 * 1024; i++) {
                stored += writer.append(chunk.clear());
            }
            assertEquals(33L << 26, writer.bytesTotal());
            assertEquals(cap, stored);
            assertTrue(writer.truncated());
            assertEquals(cap, await(store.seal(writer.end())).bytes());
            assertEquals(cap, Files.size(store.find("giant").file()));
        }
    }

    @Test
    void thousandsOfArtifactsGrowWithFewOpenFiles() throws Exception {
        List<ArtifactWriter> writers = new ArrayList<>();
        try (ArtifactStore store = ArtifactStore.open(directory.resolve("artifacts"), 50)) {
            for (int i = 0; i < 2_000; i++) {
                writers.add(store.create("w" + i, 100));
            }
            for (int round = 0; round < 2; round++) {
                byte[] line = (round + "\n").getBytes(StandardCharsets.UTF_8);
                for (ArtifactWriter writer : writers) {
                    assertEquals(2, writer.append(ByteBuffer.wrap(line)));
                }
                assertTrue(store.openFiles() <= 50, store.openFiles() + " files are open");
            }
            for (ArtifactWriter writer : writers) {
                store.seal(writer.end());
            }
            for (ArtifactWriter writer : writers) {
                assertEquals(4, await(store.seal(writer.end())).bytes());
            }
            assertEquals(0, store.openFiles());
            assertEquals("0\n1\n", store.find("w77").text(0, 100).text());
        }
    }

    @Test
    void storeWorksWithFewerDescriptorsThanItsLimit() throws Exception {
        Process child = new ProcessBuilder(
                        "bash",
                        "-c",
                        "ulimit -n 250; exec \"$@\"",
                        "bash",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        GrowManyWithFewDescriptors.class.getName(),
                        directory.resolve("artifacts").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String told = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, child.waitFor());
        assertEquals("stored 8000, error none, all open false", told.strip());
    }
}
