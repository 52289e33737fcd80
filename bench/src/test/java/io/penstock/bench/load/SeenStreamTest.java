package io.penstock.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A faulty stream does not pass: each fault is made on purpose. */
class SeenStreamTest {

    private final List<Long> times = new ArrayList<>();
    private final SeenStream seen = new SeenStream(times::add);

    private static String plain(long seq) {
        return "id: " + seq + "\ndata: {\"type\":\"tool_task_status\",\"seq\":" + seq + "}\n\n";
    }

    private static String delta(long seq, String stream, String chunk, long offset, int bytes) {
        return "id: " + seq + "\ndata: {\"type\":\"tool_task_output_delta\",\"stream\":\"" + stream + "\",\"chunk\":\""
                + chunk + "\",\"artifacts\":{\"log\":{\"id\":\"a\",\"offset_bytes\":" + offset + ",\"bytes\":" + bytes
                + "}}}\n\n";
    }

    private void faults(long lost, long doubled, long outOfPlace) {
        assertEquals(lost, seen.lost(), "lost");
        assertEquals(doubled, seen.doubled(), "doubled");
        assertEquals(outOfPlace, seen.outOfPlace(), "out of place");
    }

    private void add(String... events) {
        for (String event : events) {
            seen.add(Buffer.buffer(event));
        }
    }

    @Test
    void aWholeStreamHasNoFaultHoweverItIsCut() {
        String whole = "retry: 1000\n\n" + plain(0) + delta(1, "stdout", "0 @1700000000.123456 x", 0, 30) + ":\n\n"
                + delta(2, "stderr", "e", 0, 7) + delta(3, "stdout", "y", 30, 4) + plain(4);
        for (int cut = 1; cut < 50; cut++) {
            var cutSeen = new SeenStream(times::add);
            times.clear();
            for (int from = 0; from < whole.length(); from += cut) {
                cutSeen.add(Buffer.buffer(whole.substring(from, Math.min(whole.length(), from + cut))));
            }
            assertEquals(
                    List.of(5L, 41L, 0L, 0L, 0L),
                    List.of(
                            cutSeen.frames(),
                            cutSeen.outputBytes(),
                            cutSeen.lost(),
                            cutSeen.doubled(),
                            cutSeen.outOfPlace()),
                    "cut every " + cut);
            assertEquals(List.of(1_700_000_000_123_456L), times);
        }
    }

    @Test
    void aFrameThatIsLeftOutIsLost() {
        add(plain(0), plain(1), plain(3));
        faults(1, 0, 0);
    }

    @Test
    void aFrameThatComesTwiceIsDoubled() {
        add(plain(0), plain(1), plain(1), plain(2));
        faults(0, 1, 0);
    }

    @Test
    void reorderedFramesAreDetected() {
        add(plain(0), plain(2), plain(1), plain(3));
        faults(1, 1, 0);
    }

    @Test
    void pieceAfterAGapIsOutOfPlace() {
        add(delta(0, "stdout", "a", 0, 10), delta(1, "stdout", "b", 11, 10), delta(2, "stdout", "c", 21, 1));
        faults(0, 0, 1);
    }

    @Test
    void channelsHaveSeparateOffsets() {
        add(delta(0, "stdout", "a", 0, 10), delta(1, "stderr", "b", 10, 10));
        faults(0, 0, 1);
    }
}
