package io.penstock.engine.watch;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Short texts of which each match of a pattern contains at least one. A text is a sequence of sets of bytes. */
final class RequiredTexts {

    /** Alternatives are multiplied out up to here. */
    private static final int MOST_TEXTS = 16;

    /** Longer texts are not rarer in practice. */
    private static final int MOST_BYTES = 24;

    /** Two such sets make some hundred forms. */
    private static final int MOST_FORMS = 16;

    private List<List<BitSet>> run = List.of(List.of());
    private @Nullable List<List<BitSet>> best;
    private boolean whole = true;

    private RequiredTexts() {}

    /** Null if a match may consist of anything. */
    static @Nullable List<List<BitSet>> of(Outline outline) {
        var texts = new RequiredTexts();
        texts.add(outline);
        return texts.end();
    }

    private @Nullable List<List<BitSet>> end() {
        cut();
        return best;
    }

    private void add(Outline part) {
        switch (part) {
            case Outline.Char one -> {
                if (one.set().beyond()) {
                    cut();
                } else {
                    append(List.of(List.of(bytes(one.set()))));
                }
            }
            case Outline.Encoded encoded -> append(List.of(bytes(encoded)));
            case Outline.Edge _ -> {}
            case Outline.Sequence sequence -> sequence.parts().forEach(this::add);
            case Outline.Either either -> add(either);
            case Outline.Repeat repeat -> add(repeat);
        }
    }

    private void add(Outline.Either either) {
        List<List<BitSet>> exact = new ArrayList<>();
        List<List<BitSet>> required = new ArrayList<>();
        boolean allExact = true;
        boolean allRequired = true;
        for (Outline branch : either.parts()) {
            var texts = new RequiredTexts();
            texts.add(branch);
            allExact &= texts.whole;
            exact.addAll(texts.run);
            List<List<BitSet>> ofBranch = texts.end();
            allRequired &= ofBranch != null;
            required.addAll(ofBranch == null ? List.of() : ofBranch);
        }
        if (allExact) {
            append(exact);
        } else {
            cut();
            if (allRequired) {
                offer(required);
            }
        }
    }

    private void add(Outline.Repeat repeat) {
        // Copies of a longer part could multiply with those of the parts in it.
        int copies = repeat.part() instanceof Outline.Char
                ? Math.min(repeat.least(), MOST_BYTES)
                : Math.min(repeat.least(), 1);
        for (int i = 0; i < copies; i++) {
            add(repeat.part());
        }
        if (repeat.most() > copies) {
            cut();
            if (copies > 0 && repeat.part() instanceof Outline.Char) {
                // What follows comes after the last one.
                add(repeat.part());
            }
        }
    }

    private void append(List<List<BitSet>> texts) {
        boolean tooMany = run.size() * texts.size() > MOST_TEXTS;
        if (tooMany || longest(run) + longest(texts) > MOST_BYTES) {
            cut();
        }
        if (texts.size() > MOST_TEXTS) {
            offer(texts);
            return;
        }
        List<List<BitSet>> longer = new ArrayList<>();
        for (List<BitSet> before : run) {
            for (List<BitSet> text : texts) {
                List<BitSet> both = new ArrayList<>(before);
                both.addAll(text);
                longer.add(both);
            }
        }
        run = longer;
    }

    /** Anything may come here. */
    private void cut() {
        whole = false;
        offer(run);
        run = List.of(List.of());
    }

    private void offer(List<List<BitSet>> texts) {
        List<List<BitSet>> known = best;
        if (rarity(texts) > (known == null ? 0 : rarity(known))) {
            best = texts;
        }
    }

    private static int longest(List<List<BitSet>> texts) {
        return texts.stream().mapToInt(List::size).max().orElse(0);
    }

    /** Of the most common one, in bits; less for more of them. */
    private static double rarity(List<List<BitSet>> texts) {
        double least = texts.stream()
                .mapToDouble(
                        text -> text.stream().mapToDouble(RequiredTexts::rarity).sum())
                .min()
                .orElse(0);
        return least - Math.log(texts.size());
    }

    /** As if all ASCII characters were equally common; 0 for sets of which a text would have too many forms. */
    static double rarity(BitSet set) {
        return set.cardinality() > MOST_FORMS ? 0 : Math.log(128) - Math.log(set.cardinality());
    }

    private static BitSet bytes(CharSet set) {
        var bytes = new BitSet();
        for (int c = 0; c < 128; c++) {
            bytes.set(c, set.contains(c));
        }
        return bytes;
    }

    private static List<BitSet> bytes(Outline.Encoded encoded) {
        List<BitSet> text = new ArrayList<>();
        for (byte each : encoded.character().getBytes(StandardCharsets.UTF_8)) {
            var one = new BitSet();
            one.set(each & 0xFF);
            text.add(one);
        }
        return text;
    }
}
