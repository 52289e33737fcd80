package io.penstock.engine.watch;

/** Reads a character class in brackets, for {@link OutlineParser}. */
final class OutlineClass {

    private final OutlineParser parser;

    OutlineClass(OutlineParser parser) {
        this.parser = parser;
    }

    CharSet parse() {
        parser.reads("[");
        boolean negated = parser.reads("^");
        CharSet set = CharSet.NONE;
        for (boolean first = true; !parser.ended() && (first || !parser.sees("]")); first = false) {
            set = set.or(member());
        }
        parser.reads("]");
        set = parser.set(set);
        return negated ? set.negated() : set;
    }

    private CharSet member() {
        String name = parser.readsBetween("[:", ":]");
        if (name != null) {
            return named(name);
        }
        if (parser.sees("\\")) {
            CharSet set = parser.escapedSet();
            if (set != null) {
                return set;
            }
        }
        int from = character();
        if (!parser.sees("-") || parser.sees("-]")) {
            return parser.range(from, from);
        }
        parser.reads("-");
        return parser.ended() ? CharSet.NONE : parser.range(from, character());
    }

    private int character() {
        return parser.sees("\\") ? parser.escapedCodePoint() : parser.codePoint();
    }

    private CharSet named(String name) {
        boolean negated = name.startsWith("^");
        CharSet set = switch (negated ? name.substring(1) : name) {
            case "alnum" -> CharSet.ALPHA.or(CharSet.DIGIT);
            case "alpha" -> CharSet.ALPHA;
            case "ascii" -> CharSet.range(0, 127);
            case "blank" -> CharSet.range('\t', '\t').or(CharSet.range(' ', ' '));
            case "cntrl" -> CharSet.range(0, 31).or(CharSet.range(127, 127));
            case "digit" -> CharSet.DIGIT;
            case "graph" -> CharSet.range('!', '~');
            case "lower" -> CharSet.LOWER;
            case "print" -> CharSet.range(' ', '~');
            case "space" -> CharSet.range('\t', '\r').or(CharSet.range(' ', ' '));
            case "upper" -> CharSet.UPPER;
            case "word" -> CharSet.WORD;
            default -> CharSet.UNKNOWN;
        };
        return negated ? parser.set(set).negated() : set;
    }
}
