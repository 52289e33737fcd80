package io.penstock.terminal;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Random output: every kind of sequence in any order, with text of all widths between them. */
final class RandomOutput {

    private static final String[] TEXTS = {
        "a",
        "word ",
        "A line of text that is longer than most terminals of these tests are wide, ",
        "\u6f22\u5b57",
        "\ud83d\ude00",
        "e\u0301",
        "\u0e01\u0e33",
        "\u2500\u2502",
        "x\u200dy",
        "#~`q",
        "\u00e9\u00fc"
    };
    private static final int[] MODES = {
        1, 2, 6, 7, 9, 25, 45, 47, 66, 1000, 1002, 1003, 1004, 1006, 1016, 1047, 1048, 1049, 2004, 2026, 12, 77
    };
    private static final int[] STYLES = {
        0, 1, 2, 3, 4, 5, 7, 8, 9, 21, 22, 23, 24, 25, 27, 28, 29, 31, 39, 44, 49, 53, 55, 94, 103
    };

    /** Complete links, each with its end. */
    static final String[] LINKS = {
        "\u001b]8;;https://example.org/a\u0007a word\u001b]8;;\u0007",
        "\u001b]8;id=1;https://example.org/a\u001b\\one \u001b[1mand more\u001b[m \u001b]8;;\u001b\\",
        "\u001b]8;;https://example.org/b\u0007\u6f22\u5b57 that is longer than most lines\u001b]8;;\u0007",
        "\u001b]8;x=y:id=2;file:///tmp/\u6f22;b\u0007there\u001b]8;;\u0007"
    };

    static final String[] LOOSE_LINKS = {
        "\u001b]8;;https://example.org/a\u0007",
        "\u001b]8;id=1;https://example.org/a\u001b\\",
        "\u001b]8;x=y:id=2;file:///tmp/\u6f22;b\u0007",
        "\u001b]8;;\u0007",
        "\u001b]8;;\u001b\\",
        "\u001b]8;id=1;\u0007"
    };

    private final Random random;

    private final String[] besides;

    /** Separate from {@link #random}, so that the rest is the same with and without {@link #besides}. */
    private final Random between;

    RandomOutput(long seed) {
        this(seed, new String[0]);
    }

    /** @param besides sequences inserted between the pieces from time to time */
    RandomOutput(long seed, String... besides) {
        random = new Random(seed);
        this.besides = besides;
        between = new Random(~seed);
    }

    int number(int below) {
        return random.nextInt(below);
    }

    byte[] pieces(int count) {
        var out = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            out.writeBytes(piece().getBytes(StandardCharsets.UTF_8));
            if (besides.length > 0 && between.nextInt(4) == 0) {
                out.writeBytes(besides[between.nextInt(besides.length)].getBytes(StandardCharsets.UTF_8));
            }
        }
        return out.toByteArray();
    }

    byte[] rubbish(int bytes) {
        byte[] rubbish = new byte[bytes];
        random.nextBytes(rubbish);
        for (int i = 0; i < bytes; i++) {
            // Bytes of escape sequences, more often than by chance.
            switch (random.nextInt(12)) {
                case 0 -> rubbish[i] = 0x1b;
                case 1 -> rubbish[i] = '[';
                case 2 -> rubbish[i] = (byte) "0123456789;:?>!\"$' #()*]P^_".charAt(random.nextInt(27));
                case 3 -> rubbish[i] = (byte) (0x40 + random.nextInt(0x3f));
                default -> {}
            }
        }
        return rubbish;
    }

    private String piece() {
        return switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4 -> TEXTS[random.nextInt(TEXTS.length)];
            case 5 -> "\r\n";
            case 6 -> "\n\b\t\r\u000e\u000f".substring(random.nextInt(5), 6).substring(0, 1);
            case 7, 8 -> "\u001b[" + STYLES[random.nextInt(STYLES.length)] + "m";
            case 9 -> "\u001b[" + (random.nextBoolean() ? 38 : 48) + colour() + "m";
            case 10, 11 -> "\u001b[" + random.nextInt(12) + ";" + random.nextInt(24) + "H";
            case 12, 13 ->
                "\u001b[" + (random.nextBoolean() ? "" : random.nextInt(6)) + letter("ABCDEFGIZ`ade@PXLMSTbsu");
            // Move back by one before erasing to the left: in the very last cell, xterm.js 6.0.0 fails at that.
            case 14 ->
                random.nextInt(4) == 0 ? "\b\u001b[1J" : "\u001b[" + "023".charAt(random.nextInt(3)) + letter("JK");
            case 15 -> "\u001b[?" + MODES[random.nextInt(MODES.length)] + letter("hl");
            case 16 -> "\u001b" + letter("78DEHM=>7no~}|");
            case 17 ->
                switch (random.nextInt(6)) {
                    case 0 -> "\u001b[" + (1 + random.nextInt(6)) + ";" + (3 + random.nextInt(8)) + "r";
                    case 1 -> "\u001b(" + letter("0BA");
                    case 2 -> "\u001b)" + letter("0BA");
                    case 3 -> "\u001b[" + random.nextInt(7) + " q";
                    case 4 -> "\u001b[4" + letter("hl");
                    default -> "\u001b[" + letter("r");
                };
            case 18 ->
                switch (random.nextInt(9)) {
                    case 0 -> "\u001b]0;title " + random.nextInt(100) + "\u0007";
                    case 1 -> "\u001b]2;\u6f22 " + random.nextInt(100) + "\u001b\\";
                    case 2 -> "\u001bP1$r0m\u001b\\";
                    case 3 -> "\u001b[" + letter("g");
                    case 4 -> "\u001b[3g";
                    case 5 -> "\u001b[!p";
                    case 6 -> "\u001b[" + random.nextInt(3) + letter("@A").replaceAll("(.)", " $1");
                    case 7 -> "\u001b[" + random.nextInt(3) + "'" + letter("}~");
                    default -> random.nextInt(10) == 0 ? "\u001bc" : "\u001b#8";
                };
            default -> "line " + random.nextInt(1000) + "\r\n";
        };
    }

    /** A sequence with the numbers that cause the highest cost. */
    String hostile() {
        String number = new String[] {"", "2", "999", "16777216", "2147483647"}[random.nextInt(5)];
        return switch (random.nextInt(8)) {
            case 0 -> "\u001b[" + number + letter("@PXLMSTbIZABCDEFGd`JK");
            case 1 -> "x\u001b[" + number + "b";
            case 2 -> "\u001b#8";
            case 3 -> "\u001b[" + number + letter("@A").replaceAll("(.)", " $1");
            case 4 -> "\u001b[" + number + "'" + letter("}~");
            case 5 -> "\u001b[?" + MODES[random.nextInt(MODES.length)] + letter("hl");
            case 6 -> "\u001b" + letter("78DEMc");
            default -> piece();
        };
    }

    private String colour() {
        return switch (random.nextInt(4)) {
            case 0 -> ";5;" + random.nextInt(256);
            case 1 -> ":5:" + random.nextInt(256);
            case 2 -> ";2;" + random.nextInt(256) + ";" + random.nextInt(256) + ";" + random.nextInt(256);
            default -> ":2::" + random.nextInt(256) + ":" + random.nextInt(256) + ":" + random.nextInt(256);
        };
    }

    private String letter(String of) {
        return String.valueOf(of.charAt(random.nextInt(of.length())));
    }
}
