package io.penstock.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineReaderTest {

    private static List<String> read(String text, int maxBytes, Random cuts) {
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
        Buffer left = Buffer.buffer(text);
        while (left.length() > 0) {
            int cut = 1 + cuts.nextInt(left.length());
            reader.handle(left.slice(0, cut));
            left = left.slice(cut, left.length());
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
                    read(text, 20, new Random(seed)),
                    "seed " + seed);
        }
    }
}
