package io.penstock.engine.lines;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineReaderTest {

    private static List<String> read(String text, int maxBytes, Random cuts, boolean ends) {
        var seen = new ArrayList<String>();
        var reader = new LineReader(maxBytes, new LineReader.Lines() {
            @Override
            public void line(byte[] utf8) {
                seen.add(new String(utf8, StandardCharsets.UTF_8));
            }

            @Override
            public void tooLong() {
                seen.add("too long");
            }
        });
        ByteBuffer left = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (left.hasRemaining()) {
            int cut = 1 + cuts.nextInt(left.remaining());
            reader.read(left.slice(left.position(), cut));
            left.position(left.position() + cut);
        }
        if (ends) {
            reader.end();
        }
        return seen;
    }

    @Test
    void linesAreTheSameHoweverTheyAreCut() {
        String text = "one\n\ntwo\u2028still two\r\n" + "x".repeat(21) + "\n" + "y".repeat(20) + "\n" + "z".repeat(90)
                + "\nthree\nunfinished";
        for (int seed = 0; seed < 200; seed++) {
            assertEquals(
                    List.of("one", "two\u2028still two\r", "too long", "y".repeat(20), "too long", "three"),
                    read(text, 20, new Random(seed), false),
                    "seed " + seed);
        }
    }

    @Test
    void lastLineMayHaveNoEnd() {
        for (int seed = 0; seed < 20; seed++) {
            assertEquals(List.of("one", "two"), read("one\ntwo", 20, new Random(seed), true));
            assertEquals(List.of("one"), read("one\n", 20, new Random(seed), true));
            assertEquals(List.of("too long"), read("x".repeat(21), 20, new Random(seed), true));
        }
    }
}
