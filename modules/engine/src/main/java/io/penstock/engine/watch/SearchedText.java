package io.penstock.engine.watch;

import io.penstock.frames.WholeCharacters;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of output as characters, with the place of each character among the bytes. Invalid bytes are U+FFFD, one for each longest part of a
 * valid sequence, as everywhere in Java. Counts how often characters are read, which is the cost of a search.
 */
final class SearchedText implements CharSequence {

    private final byte[] bytes;
    private final int from;
    private final int length;

    /** The characters and, for each and for the end, its place; null if all are ASCII. */
    private final char @Nullable [] chars;

    private final int[] places;
    private long reads;

    private SearchedText(byte[] bytes, int from, int length, char @Nullable [] chars, int[] places) {
        this.bytes = bytes;
        this.from = from;
        this.length = length;
        this.chars = chars;
        this.places = places;
    }

    static SearchedText of(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] < 0) {
                return decoded(bytes, from, to);
            }
        }
        return new SearchedText(bytes, from, to - from, null, new int[0]);
    }

    private static SearchedText decoded(byte[] bytes, int from, int to) {
        var chars = new char[to - from];
        var places = new int[to - from + 1];
        int count = 0;
        for (int at = from; at < to; ) {
            int wanted = Utf8.sequence(bytes[at]);
            int valid = Utf8.validPart(bytes, at, to);
            places[count] = at;
            if (wanted == valid) {
                int c = Utf8.codePoint(bytes, at, wanted);
                if (c > 0xFFFF) {
                    chars[count++] = Character.highSurrogate(c);
                    places[count] = at;
                    chars[count++] = Character.lowSurrogate(c);
                } else {
                    chars[count++] = (char) c;
                }
            } else {
                chars[count++] = '\ufffd';
            }
            at += valid;
        }
        places[count] = to;
        return new SearchedText(bytes, from, count, chars, places);
    }

    /** The place of a character among the bytes; of the end, the end. */
    int placeOf(int index) {
        return chars == null ? from + index : places[index];
    }

    /** The first character that begins at this place or after it. */
    int charAtPlace(int place) {
        if (chars == null) {
            return place - from;
        }
        int found = Arrays.binarySearch(places, 0, length + 1, place);
        if (found < 0) {
            return -found - 1;
        }
        boolean lowSurrogate = found > 0 && places[found - 1] == place;
        return lowSurrogate ? found - 1 : found;
    }

    /** The index after the character at this index. */
    int after(int index) {
        return index + Character.charCount(Character.codePointAt(this, index));
    }

    /** At most this many characters of a part. */
    String text(int start, int end, int most) {
        int cut = Math.min(end, start + most);
        return subSequence(start, cut < end ? WholeCharacters.boundary(this, cut) : cut)
                .toString();
    }

    long reads() {
        return reads;
    }

    @Override
    public char charAt(int index) {
        reads++;
        return chars == null ? (char) bytes[from + index] : chars[index];
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return chars == null
                ? new String(bytes, from + start, end - start, StandardCharsets.ISO_8859_1)
                : new String(chars, start, end - start);
    }

    @Override
    public String toString() {
        return subSequence(0, length).toString();
    }
}
