package io.penstock.engine.watch;

/**
 * A set of characters, known for ASCII only. The pattern's set contains at least {@code sure*} and at most {@code low, high} and, if {@code
 * beyond}, all characters outside ASCII. The lower bound is what a negation needs.
 */
record CharSet(long low, long high, boolean beyond, long sureLow, long sureHigh) {

    private static final long K_AND_S = 1L << 'k' - 64 | 1L << 'K' - 64 | 1L << 's' - 64 | 1L << 'S' - 64;

    static final CharSet NONE = new CharSet(0, 0, false, 0, 0);
    static final CharSet ALL = new CharSet(-1, -1, true, -1, -1);
    /** Any set whatsoever. */
    static final CharSet UNKNOWN = new CharSet(-1, -1, true, 0, 0);

    static final CharSet DIGIT = range('0', '9');
    static final CharSet LOWER = range('a', 'z');
    static final CharSet UPPER = range('A', 'Z');
    static final CharSet ALPHA = LOWER.or(UPPER);
    static final CharSet WORD = ALPHA.or(DIGIT).or(range('_', '_'));
    static final CharSet SPACE = range('\t', '\n').or(range('\f', '\r')).or(range(' ', ' '));

    /** The characters of a range of code points. */
    static CharSet range(int first, int last) {
        long low = 0;
        long high = 0;
        for (int c = first; c <= Math.min(last, 127); c++) {
            if (c < 64) {
                low |= 1L << c;
            } else {
                high |= 1L << (c - 64);
            }
        }
        return new CharSet(low, high, last > 127, low, high);
    }

    boolean contains(int ascii) {
        return ((ascii < 64 ? low : high) >>> (ascii & 63) & 1) != 0;
    }

    CharSet or(CharSet other) {
        return new CharSet(
                low | other.low,
                high | other.high,
                beyond || other.beyond,
                sureLow | other.sureLow,
                sureHigh | other.sureHigh);
    }

    CharSet negated() {
        return new CharSet(~sureLow, ~sureHigh, true, ~low, ~high);
    }

    /** With upper and lower case alike. Outside ASCII, the Kelvin sign is a k and the long s is an s. */
    CharSet folded() {
        long both = fold(high);
        boolean signs = (both & K_AND_S) != 0;
        return new CharSet(low, beyond ? both | K_AND_S : both, beyond || signs, sureLow, fold(sureHigh));
    }

    /** Letters are 32 apart: A is bit 1, a is bit 33. */
    private static long fold(long high) {
        long letters = 0x07FFFFFEL;
        return high | (high & letters) << 32 | high >>> 32 & letters;
    }
}
