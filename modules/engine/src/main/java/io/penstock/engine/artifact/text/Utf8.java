package io.penstock.engine.artifact.text;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * UTF-8 as browsers decode it. Bytes are a sequence of units; a unit is a whole character, or the longest prefix of a broken one, which
 * becomes U+FFFD. The three bytes before a place decide whether a unit begins there.
 */
public final class Utf8 {

    public static final int LONGEST = 4;

    private Utf8() {}

    /** The start of the first unit at or behind a place. */
    public static int boundaryFrom(byte[] bytes, int at, int limit) {
        int start = unitAround(bytes, at, limit);
        return start == at ? at : start + unit(bytes, start, limit);
    }

    /** The start of the unit that contains the byte at a place; at the limit, the place itself. */
    public static int unitAround(byte[] bytes, int at, int limit) {
        if (at >= limit || !continues(bytes[at])) {
            return at;
        }
        for (int lead = at - 1; lead >= 0 && lead > at - LONGEST; lead--) {
            if (!continues(bytes[lead])) {
                return lead + unit(bytes, lead, limit) > at ? lead : at;
            }
        }
        return at;
    }

    /** The length in bytes of the unit that begins here. */
    public static int unit(byte[] bytes, int at, int limit) {
        int wanted = characterLength(bytes[at] & 0xff);
        int length = 1;
        while (length < wanted && at + length < limit && fits(bytes, at, length)) {
            length++;
        }
        return length;
    }

    /** Whether the unit that begins here is cut off by the limit and could become a character with more bytes. */
    public static boolean unfinished(byte[] bytes, int at, int limit) {
        int length = unit(bytes, at, limit);
        return at + length == limit && length < characterLength(bytes[at] & 0xff);
    }

    private static int characterLength(int lead) {
        if (lead < 0xc2 || lead > 0xf4) {
            return 1;
        }
        return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    }

    /** Whether the byte is valid at this index of a character. The second byte excludes overlong forms, surrogates and values above U+10FFFF. */
    private static boolean fits(byte[] bytes, int at, int index) {
        int next = bytes[at + index] & 0xff;
        if (index > 1) {
            return next >= 0x80 && next <= 0xbf;
        }
        int lead = bytes[at] & 0xff;
        int lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
        int highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
        return next >= lowest && next <= highest;
    }

    private static boolean continues(byte value) {
        return (value & 0xc0) == 0x80;
    }

    /** Decodes whole units. The JDK's own replacement is not used, because it makes one character of an encoded surrogate. */
    public static String text(byte[] bytes, int from, int to) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes, from, to - from);
        CharBuffer out = CharBuffer.allocate(to - from);
        while (true) {
            CoderResult result = decoder.decode(in, out, true);
            if (result.isUnderflow() && !in.hasRemaining()) {
                return out.flip().toString();
            }
            out.put('\ufffd');
            in.position(in.position() + unit(bytes, in.position(), to));
            decoder.reset();
        }
    }
}
