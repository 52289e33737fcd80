package io.penstock.engine.policy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A number with a unit: 90s, 10m, 64MiB. */
enum Amount {
    TIME("a time, such as 30s, 10m or 2h", "ms", 1, "s", 1_000, "m", 60_000, "h", 3_600_000),
    BYTES("a number of bytes, such as 4096, 64KiB or 1GiB", "", 1, "KiB", 1 << 10, "MiB", 1 << 20, "GiB", 1 << 30),
    COUNT("a whole number, 1 or more", "", 1);

    private static final Pattern FORM = Pattern.compile("([0-9]{1,12}) ?([A-Za-z]*)");

    private final String sentence;
    private final Map<String, Long> units = new LinkedHashMap<>();

    Amount(String sentence, Object... units) {
        this.sentence = sentence;
        for (int i = 0; i < units.length; i += 2) {
            this.units.put((String) units[i], ((Integer) units[i + 1]).longValue());
        }
    }

    long parse(String text) {
        Matcher matcher = FORM.matcher(text);
        Long unit = matcher.matches() ? units.get(matcher.group(2)) : null;
        long number = unit == null ? 0 : Long.parseLong(matcher.group(1));
        if (unit == null || number == 0 || number > Long.MAX_VALUE / 1024 / unit) {
            throw new IllegalArgumentException("must be " + sentence + ", but is \"" + text + "\"");
        }
        return number * unit;
    }
}
