package io.penstock.engine.watch;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Random patterns and output over a small alphabet, so that many patterns match somewhere and most nearly do. */
final class RandomPatterns {

    private static final String[] ATOMS = {
        "a",
        "b",
        "c",
        "A",
        "k",
        "s",
        "1",
        " ",
        "é",
        "漢",
        "😀",
        "\ufffd",
        "\u212A",
        ".",
        "\\d",
        "\\D",
        "\\w",
        "\\W",
        "\\s",
        "\\S",
        "\\b",
        "\\B",
        "^",
        "$",
        "\\A",
        "\\z",
        "[ab]",
        "[^ab]",
        "[a-c1]",
        "[^\\w]",
        "[^\\W]",
        "[[:alpha:]]",
        "[[:^alpha:]]",
        "[é-漢]",
        "[à-ÿ]",
        "[^é]",
        "[]a]",
        "[a-]",
        "[[:a]",
        "\\pL",
        "\\PL",
        "\\p{Han}",
        "[\\PL1]",
        "[^\\pL]",
        "\\x61",
        "\\x{e9}",
        "\\141",
        "\\n",
        "\\Qa.\\E",
        "(?s).",
        "(?-s:.)",
        "(?m)^",
        "(?m)$",
        "(?i)",
        "\\.",
        "[\\x{61}-c]",
        "[[:word:]]",
        "[^[:space:]]",
        "[k]",
        "[^k]",
        "[\\u]"
    };
    private static final String[] REPEATS = {
        "", "", "", "", "*", "+", "?", "*?", "+?", "{2}", "{1,3}", "{0,2}", "{4,}", "{5}"
    };
    private static final String[] TEXTS = {
        "a", "b", "c", "A", "k", "K", "s", "S", "1", " ", ".", "é", "漢", "字", "😀", "\ufffd", "\u212A", "\u017F",
        "\u1c80", "ab", "aaaaa", "\n", "\r\n", "\r"
    };

    private final Random random;

    RandomPatterns(long seed) {
        random = new Random(seed);
    }

    /** A valid pattern that can be compiled in finite time. */
    String pattern() {
        while (true) {
            String pattern = alternatives(3);
            var parser = new OutlineParser(pattern);
            parser.parse();
            try {
                if (parser.foldable()) {
                    Pattern.compile(pattern);
                    return pattern;
                }
            } catch (PatternSyntaxException invalid) {
                // The next one then.
            }
        }
    }

    private String alternatives(int depth) {
        var pattern = new StringBuilder(sequence(depth));
        while (random.nextInt(4) == 0) {
            pattern.append('|').append(sequence(depth));
        }
        return pattern.toString();
    }

    private String sequence(int depth) {
        var pattern = new StringBuilder();
        for (int i = random.nextInt(4); i >= 0; i--) {
            pattern.append(atom(depth)).append(REPEATS[random.nextInt(REPEATS.length)]);
        }
        return pattern.toString();
    }

    private String atom(int depth) {
        if (depth == 0 || random.nextInt(4) > 0) {
            return ATOMS[random.nextInt(ATOMS.length)];
        }
        String[] opening = {"(", "(?:", "(?i:", "(?P<n" + random.nextInt(1000) + ">", "(?is:"};
        return opening[random.nextInt(opening.length)] + alternatives(depth - 1) + ")";
    }

    /** Output with line ends, characters outside ASCII, and invalid bytes. */
    byte[] output(int parts) {
        var bytes = new ByteArrayOutputStream();
        for (int i = 0; i < parts; i++) {
            if (random.nextInt(12) == 0) {
                int[] odd = {0x80, 0xC3, 0xE6, 0xBC, 0xF0, 0xFF, 0xED, 0xA0, 0};
                bytes.write(odd[random.nextInt(odd.length)]);
            } else {
                bytes.writeBytes(TEXTS[random.nextInt(TEXTS.length)].getBytes(StandardCharsets.UTF_8));
            }
        }
        return bytes.toByteArray();
    }

    Random random() {
        return random;
    }
}
