package io.penstock.engine.log.journal;

import static io.penstock.engine.log.journal.Payloads.payload;
import static io.penstock.engine.log.journal.Payloads.small;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
class JournalKillTest {
    private static final int ROUNDS = 8;

    @TempDir
    Path directory;

    @Test
    void everyAcceptedRecordSurvivesKill9() throws Exception {
        Random random = new Random(1);
        long drained = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<Long> accepted = runAndKill(drained, round, 1 + random.nextInt(6000));
            try (Journal journal = Journal.open(small(directory, 65536, new Fsync.Never()), drained)) {
                assertTrue(journal.recovery().setAside().isEmpty(), journal.recovery()::toString);
                JournalReader reader = journal.reader(drained);
                int number = 0;
                for (; reader.next(); number++) {
                    assertArrayEquals(payload(round, number), Arrays.copyOf(reader.buffer(), reader.length()));
                    if (number < accepted.size()) {
                        assertEquals(accepted.get(number), reader.position());
                    }
                }
                assertTrue(number >= accepted.size(), number + " of " + accepted.size() + " are there");
                assertTrue(number <= accepted.size() + 1, "one may have been accepted and not been told");
                drained = reader.nextPosition();
            }
        }
    }

    @Test
    void aSecondProcessIsRefusedInOneSentence() throws Exception {
        try (Journal journal = Journal.open(small(directory, 65536, new Fsync.Never()), 0)) {
            Process second = child(0, 0).start();
            String sentence = new String(second.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(3, second.waitFor());
            assertTrue(sentence.contains(directory + " is in use by another process"), sentence);
            assertTrue(Payloads.append(journal, new byte[4]) > 0);
        }
    }

    @Test
    void openingUnderAFileSizeLimitFailsWithOneSentence() throws Exception {
        List<String> limited = new ArrayList<>(List.of("bash", "-c", "ulimit -f 32; exec \"$@\"", "bash"));
        limited.addAll(child(0, 0).command());
        Process child = new ProcessBuilder(limited).start();
        String sentence = new String(child.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(3, child.waitFor());
        assertTrue(sentence.contains("File too large; it needs 65536 bytes free"), sentence);
        assertTrue(SegmentFiles.inOrder(directory).isEmpty());
    }

    private List<Long> runAndKill(long drained, int round, int count) throws IOException, InterruptedException {
        Process child = child(drained, round)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<Long> accepted = new ArrayList<>();
        try (DataInputStream positions = new DataInputStream(child.getInputStream())) {
            while (true) {
                if (accepted.size() == count) {
                    // By its handle, since destroying the Process would close the pipe with its unread content.
                    child.toHandle().destroyForcibly();
                }
                accepted.add(positions.readLong());
            }
        } catch (EOFException e) {
            assertTrue(accepted.size() >= count, "the child ended by itself");
        } finally {
            child.destroyForcibly();
        }
        child.waitFor();
        return accepted;
    }

    private ProcessBuilder child(long drained, long seed) {
        return new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                AppendUntilKilled.class.getName(),
                directory.toString(),
                Long.toString(drained),
                Long.toString(seed));
    }
}
