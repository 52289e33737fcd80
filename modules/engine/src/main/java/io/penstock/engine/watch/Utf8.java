package io.penstock.engine.watch;

/** Characters in UTF-8, valid or not. */
final class Utf8 {

    private Utf8() {}

    /** The length of the sequence that a byte begins; 0 if none begins with it. */
    static int sequence(byte first) {
        int b = first & 0xFF;
        return b < 0x80 ? 1 : b < 0xC2 ? 0 : b < 0xE0 ? 2 : b < 0xF0 ? 3 : b < 0xF5 ? 4 : 0;
    }

    /** The number of bytes here that belong to one character or, if they are none, to one U+FFFD; 1 at least. */
    static int validPart(byte[] bytes, int at, int to) {
        int wanted = sequence(bytes[at]);
        int valid = 1;
        while (valid < wanted && at + valid < to && continues(bytes, at, valid)) {
            valid++;
        }
        return valid;
    }

    /** The second byte has narrower limits: no overlong forms, nothing beyond U+10FFFF. A surrogate is recognized by its value. */
    private static boolean continues(byte[] bytes, int at, int nth) {
        int b = bytes[at + nth] & 0xFF;
        int low = 0x80;
        int high = 0xBF;
        if (nth == 1) {
            switch (bytes[at] & 0xFF) {
                case 0xE0 -> low = 0xA0;
                case 0xF0 -> low = 0x90;
                case 0xF4 -> high = 0x8F;
                default -> {}
            }
        }
        return b >= low && b <= high;
    }

    /** The character of a complete sequence; U+FFFD for a surrogate, of which Java takes all three bytes for one. */
    static int codePoint(byte[] bytes, int at, int length) {
        return switch (length) {
            case 1 -> bytes[at];
            case 2 -> (bytes[at] & 0x1F) << 6 | bytes[at + 1] & 0x3F;
            case 3 -> {
                int c = (bytes[at] & 0x0F) << 12 | (bytes[at + 1] & 0x3F) << 6 | bytes[at + 2] & 0x3F;
                yield c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xFFFD : c;
            }
            default ->
                (bytes[at] & 0x07) << 18
                        | (bytes[at + 1] & 0x3F) << 12
                        | (bytes[at + 2] & 0x3F) << 6
                        | bytes[at + 3] & 0x3F;
        };
    }

    /**
     * A place at or up to three bytes before this one, not before {@code from}, at which a character begins, whatever comes before it: at a
     * byte that continues none, or after three bytes that do.
     */
    static int boundary(byte[] bytes, int from, int at) {
        for (int back = 0; back < 4 && at - back >= from; back++) {
            if ((bytes[at - back] & 0xC0) != 0x80) {
                return at - back;
            }
        }
        return at;
    }

    /** The end without a last character that may still be completed. */
    static int completeEnd(byte[] bytes, int from, int to) {
        if (to == from) {
            return to;
        }
        int last = boundary(bytes, from, to - 1);
        int have = to - last;
        boolean incomplete = sequence(bytes[last]) > have && validPart(bytes, last, to) == have;
        return incomplete ? last : to;
    }
}
