package io.penstock.engine.watch;

import io.penstock.frames.WatchScope;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Tells where output may contain one of the texts that some patterns require: looks at two to four bytes, a gram, at every few places. All
 * texts are cut to one length, so wherever one of them is, one of these places is in it. Ignores the case of letters. Immutable.
 */
public final class GramTable {

    /** The longest text of which grams are taken; then every fifth place is looked at. */
    private static final int LONGEST_TEXT = 8;

    /** In a bit set of 64 Ki, few other grams are taken for one of these. */
    private static final int MOST_GRAMS = 4_096;

    /** Makes the lower and the upper case of a letter the same, and some other characters, too. */
    private static final int FOLD = 0x20202020;

    private static final int MULTIPLIER = 0x9E3779B1;

    private final int gramBytes;
    private final int mask;
    private final int stride;
    private final long[] mayBe = new long[1 << 10];
    private final int[] grams;

    private GramTable(int gramBytes, int stride, Set<Integer> grams) {
        this.gramBytes = gramBytes;
        this.mask = -1 >>> (Integer.SIZE - Byte.SIZE * gramBytes);
        this.stride = stride;
        this.grams = grams.stream().mapToInt(Integer::intValue).sorted().toArray();
        for (int gram : this.grams) {
            int hash = hash(gram);
            mayBe[hash >>> 6] |= 1L << hash;
        }
    }

    /** Empty if a pattern requires no text that is long and rare enough. The patterns must be valid. */
    public static Optional<GramTable> of(List<WatchSpec> watchers) {
        List<List<BitSet>> texts = new ArrayList<>();
        for (WatchSpec watcher : watchers) {
            List<List<BitSet>> required = watcher.scope() == WatchScope.LINE
                    ? RequiredTexts.of(new OutlineParser(watcher.regex()).parse())
                    : null;
            if (required == null) {
                return Optional.empty();
            }
            texts.addAll(required);
        }
        int length =
                Math.min(LONGEST_TEXT, texts.stream().mapToInt(List::size).min().orElse(LONGEST_TEXT));
        if (length < 2) {
            return Optional.empty();
        }
        int gramBytes = Math.min(Integer.BYTES, (length + 3) / 2);
        int stride = length - gramBytes + 1;
        Set<Integer> grams = new HashSet<>();
        for (List<BitSet> text : texts) {
            List<BitSet> rarest = rarest(text, length);
            for (int at = 0; at < stride; at++) {
                if (!addGrams(rarest.subList(at, at + gramBytes), grams)) {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(new GramTable(gramBytes, stride, grams));
    }

    /** The part of this length that has the fewest forms. */
    private static List<BitSet> rarest(List<BitSet> text, int length) {
        List<BitSet> rarest = text.subList(0, length);
        for (int from = 1; from + length <= text.size(); from++) {
            List<BitSet> part = text.subList(from, from + length);
            rarest = rarity(part) > rarity(rarest) ? part : rarest;
        }
        return rarest;
    }

    private static double rarity(List<BitSet> text) {
        return text.stream().mapToDouble(RequiredTexts::rarity).sum();
    }

    private static boolean addGrams(List<BitSet> sets, Set<Integer> grams) {
        Set<Integer> forms = Set.of(0);
        for (int i = 0; i < sets.size(); i++) {
            int shift = Byte.SIZE * i;
            Set<Integer> longer = new HashSet<>();
            for (int form : forms) {
                sets.get(i).stream().forEach(value -> longer.add(form | (value | FOLD & 0xFF) << shift));
            }
            if (longer.size() > MOST_GRAMS) {
                return false;
            }
            forms = longer;
        }
        grams.addAll(forms);
        return grams.size() <= MOST_GRAMS;
    }

    /**
     * A place that is in the first required text between these, or looks as if; -1 if there is none.
     *
     * @param bytes in little-endian order
     */
    int find(ByteBuffer bytes, int from, int to) {
        int at = from + stride - 1;
        for (; at <= to - Integer.BYTES; at += stride) {
            if (isGram((bytes.getInt(at) | FOLD) & mask)) {
                return at;
            }
        }
        for (; at <= to - gramBytes; at += stride) {
            int gram = 0;
            for (int i = 0; i < gramBytes; i++) {
                gram |= (bytes.get(at + i) & 0xFF | FOLD & 0xFF) << Byte.SIZE * i;
            }
            if (isGram(gram)) {
                return at;
            }
        }
        return -1;
    }

    /** The length of the texts. */
    int length() {
        return gramBytes + stride - 1;
    }

    private boolean isGram(int gram) {
        int hash = hash(gram);
        return (mayBe[hash >>> 6] >>> hash & 1) != 0 && Arrays.binarySearch(grams, gram) >= 0;
    }

    private static int hash(int gram) {
        return gram * MULTIPLIER >>> 16;
    }
}
