package io.penstock.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.terminal.parser.TextFlood;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The parts of a text flood that are not emulated have no visible effect. */
final class TextFloodTest {

    private static final String[] TEXTS = {
        "y",
        "word ",
        "\t",
        "\u6f22\u5b57",
        "e\u0301",
        "\ud83d\ude00",
        "a line that is longer than the terminal is wide "
    };
    private static final String[] LOOKS = {
        "\u001b[m",
        "\u001b[0m",
        "\u001b[31m",
        "\u001b[0;1;38;5;208m",
        "\u001b[48:2::1:2:3m",
        "\u001b[44m",
        "\u001b[7m",
        "\u001b[01;31m\u001b[K",
        "\u001b[1K",
        "\u001b[2K",
        "\u001b[0K"
    };

    @Test
    void floodAtOnceGivesTheSameScreenAsByteByByte() {
        int skipped = 0;
        for (long seed = 0; seed < 300; seed++) {
            var output = new RandomOutput(seed);
            int rows = 2 + output.number(10);
            int cols = 2 + output.number(30);
            var atOnce = new Emulator(rows, cols, 20);
            var byBytes = new Emulator(rows, cols, 20);
            for (int i = 0; i < 3; i++) {
                byte[] bytes = bytes(flood(output, seed), output.pieces(output.number(30)));
                atOnce.write(bytes);
                for (int at = 0; at < bytes.length; at++) {
                    byBytes.write(bytes, at, at + 1);
                }
                assertEquals(byBytes.state(), atOnce.state(), "seed " + seed);
                skipped += TextFlood.at(bytes, 0, bytes.length).lastLines(bytes, 0, rows + 20, rows) > 0 ? 1 : 0;
            }
        }
        assertTrue(skipped > 50, "only " + skipped + " began with a flood");
    }

    private static byte[] flood(RandomOutput output, long seed) {
        var text = new StringBuilder();
        boolean rough = seed % 3 == 0;
        // Including styles that are never reset.
        int looks = output.number(LOOKS.length + 1);
        int plain = output.number(3);
        while (text.length() < TextFlood.MIN_BYTES * 2) {
            for (int i = output.number(4); i > 0; i--) {
                text.append(TEXTS[output.number(TEXTS.length)]);
                if (looks > 0 && output.number(4) == 0) {
                    text.append(LOOKS[plain + output.number(Math.max(1, looks - plain))]);
                }
            }
            text.append(rough && output.number(3) == 0 ? "\n" : "\r\n");
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] bytes(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
