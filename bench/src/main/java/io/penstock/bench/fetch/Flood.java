package io.penstock.bench.fetch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A command that writes the same text repeatedly, in large writes and with little work, and that text: its lines end
 * like those of a terminal, so that a terminal adds nothing.
 */
public final class Flood {

    private static final int TEXT_BYTES = 16 << 20;
    private static final int LINE_BYTES = 80;

    private final Path file;
    private final byte[] text;
    private final int times;

    private Flood(Path file, byte[] text, int times) {
        this.file = file;
        this.text = text;
        this.times = times;
    }

    /** @param bytes the minimum that the command writes */
    public static Flood in(Path folder, long bytes) throws IOException {
        var random = new SplittableRandom(1);
        byte[] letters = "abcdefghijklmnopqrstuvwxyz      ".getBytes(StandardCharsets.US_ASCII);
        byte[] text = new byte[TEXT_BYTES];
        for (int i = 0; i < text.length; i++) {
            text[i] = switch (i % LINE_BYTES) {
                case LINE_BYTES - 2 -> '\r';
                case LINE_BYTES - 1 -> '\n';
                default -> letters[random.nextInt(letters.length)];
            };
        }
        Path file = Files.write(folder.resolve("text"), text);
        return new Flood(file, text, (int) Math.ceilDiv(bytes, TEXT_BYTES));
    }

    public String command() {
        return "exec cat" + (" " + file).repeat(times);
    }

    public long bytes() {
        return (long) times * text.length;
    }

    /** Whether these bytes are what it writes from an offset on; at most as long as the text. */
    public boolean has(long offset, byte[] bytes, int length) {
        int at = (int) (offset % text.length);
        int here = Math.min(length, text.length - at);
        return Arrays.equals(text, at, at + here, bytes, 0, here)
                && Arrays.equals(text, 0, length - here, bytes, here, length);
    }
}
