package io.penstock.terminal.grid;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** How many cells of a terminal a character takes: 0, 1 or 2. */
public final class CharWidth {

    /** Characters below this have a table; above it there are few ranges. */
    private static final int TABLED = 0x20000;

    private record Range(int first, int last, byte cells) {}

    private static final byte[] TABLE = new byte[TABLED];
    private static final List<Range> BEYOND = new ArrayList<>();

    static {
        Arrays.fill(TABLE, (byte) 1);
        try (var lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(CharWidth.class.getResourceAsStream("char-widths.txt")),
                StandardCharsets.US_ASCII))) {
            lines.lines().filter(line -> !line.startsWith("#")).forEach(CharWidth::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private CharWidth() {}

    private static void add(String line) {
        int dash = line.indexOf('-');
        byte cells = (byte) (line.charAt(0) - '0');
        int first = Integer.parseInt(line.substring(2, dash), 16);
        int last = Integer.parseInt(line.substring(dash + 1), 16);
        if (first < TABLED) {
            Arrays.fill(TABLE, first, Math.min(last + 1, TABLED), cells);
        }
        if (last >= TABLED) {
            BEYOND.add(new Range(Math.max(first, TABLED), last, cells));
        }
    }

    public static int of(int character) {
        if (character < TABLED) {
            return TABLE[character];
        }
        for (Range range : BEYOND) {
            if (character >= range.first() && character <= range.last()) {
                return range.cells();
            }
        }
        return 1;
    }
}
