package io.penstock.engine.watch;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** The outlines of several patterns as one nondeterministic automaton over bytes. Its size is linear in the length of the patterns. */
final class ByteProgram {

    /** Repetitions of one character are counted up to here; beyond, it may come any number of times, which keeps the automaton small. */
    private static final int COUNTED = 3;

    enum Op {
        /** Consumes a byte of {@code bytes}, then continues at {@code next}. */
        BYTE,
        /** Continues at both {@code next} and {@code other}. */
        SPLIT,
        /** Continues at {@code next} at the start of the text. */
        START,
        /** Continues at {@code next} at the end of the text. */
        END,
        MATCH
    }

    private final boolean edges;
    private int size;
    private Op[] ops = new Op[64];
    private int[] next = new int[64];
    private int[] other = new int[64];
    private BitSet[] bytes = new BitSet[64];
    private int[] pattern = new int[64];
    private int compiled;
    private final int[] starts;

    /** @param edges whether the start and the end of a text are known; otherwise they may be anywhere */
    ByteProgram(List<Outline> outlines, boolean edges) {
        this.edges = edges;
        starts = new int[outlines.size()];
        for (Outline outline : outlines) {
            int match = add(Op.MATCH, 0, 0, new BitSet());
            starts[compiled] = emit(outline, match);
            compiled++;
        }
    }

    int size() {
        return size;
    }

    Op op(int at) {
        return ops[at];
    }

    int next(int at) {
        return next[at];
    }

    int other(int at) {
        return other[at];
    }

    boolean consumes(int at, int value) {
        return bytes[at].get(value);
    }

    /** The pattern to which an instruction belongs. */
    int pattern(int at) {
        return pattern[at];
    }

    int start(int ofPattern) {
        return starts[ofPattern];
    }

    /** For each byte the number of its class: the program treats all bytes of a class alike. {@code \n} and {@code \r} have their own. */
    byte[] classes() {
        BitSet lineEnds = new BitSet();
        lineEnds.set('\n');
        lineEnds.set('\r');
        int[] classOf = new int[256];
        int count = refine(classOf, 1, lineEnds);
        for (BitSet set : Arrays.stream(bytes, 0, size).distinct().toList()) {
            count = refine(classOf, count, set);
        }
        var classes = new byte[256];
        for (int i = 0; i < 256; i++) {
            classes[i] = (byte) classOf[i];
        }
        return classes;
    }

    /** Splits the classes that are only partly in the set. Returns the number of classes. */
    private static int refine(int[] classOf, int count, BitSet set) {
        var renamed = new int[2 * count];
        Arrays.fill(renamed, -1);
        int classes = 0;
        for (int i = 0; i < 256; i++) {
            int key = 2 * classOf[i] + (set.get(i) ? 1 : 0);
            if (renamed[key] < 0) {
                renamed[key] = classes++;
            }
            classOf[i] = renamed[key];
        }
        return classes;
    }

    /** Emits the instructions of an outline, last one first. Returns the first. */
    private int emit(Outline outline, int then) {
        return switch (outline) {
            case Outline.Char one -> character(one.set(), then);
            case Outline.Encoded encoded -> {
                int at = then;
                byte[] utf8 = encoded.character().getBytes(StandardCharsets.UTF_8);
                for (int i = utf8.length - 1; i >= 0; i--) {
                    at = add(Op.BYTE, at, 0, range(utf8[i] & 0xFF, utf8[i] & 0xFF));
                }
                yield at;
            }
            case Outline.Edge edge -> edges ? add(edge.start() ? Op.START : Op.END, then, 0, new BitSet()) : then;
            case Outline.Sequence sequence -> {
                int at = then;
                for (Outline part : sequence.parts().reversed()) {
                    at = emit(part, at);
                }
                yield at;
            }
            case Outline.Either either -> {
                int at = emit(either.parts().getLast(), then);
                for (int i = either.parts().size() - 2; i >= 0; i--) {
                    at = split(emit(either.parts().get(i), then), at);
                }
                yield at;
            }
            case Outline.Repeat repeat -> repeat(repeat, then);
        };
    }

    private int repeat(Outline.Repeat repeat, int then) {
        Outline part = repeat.part();
        if (repeat.most() == 0) {
            return then;
        }
        if (repeat.most() == 1) {
            int once = emit(part, then);
            return repeat.least() == 0 ? split(once, then) : once;
        }
        // A part that is more than a character is not copied, because nested copies multiply.
        int copies = part instanceof Outline.Char ? Math.min(repeat.least(), COUNTED) : Math.min(repeat.least(), 1);
        int at = then;
        if (repeat.most() > copies) {
            int loop = split(0, then);
            int body = emit(part, loop);
            next[loop] = body;
            if (copies == 1) {
                return body;
            }
            at = loop;
        }
        for (int i = 0; i < copies; i++) {
            at = emit(part, at);
        }
        return at;
    }

    private int character(CharSet set, int then) {
        var ascii = new BitSet();
        for (int c = 0; c < 128; c++) {
            ascii.set(c, set.contains(c));
        }
        int at = add(Op.BYTE, then, 0, ascii);
        if (set.beyond()) {
            // One character or one invalid sequence: at least one byte with the high bit.
            int more = split(0, then);
            int high = add(Op.BYTE, more, 0, range(128, 255));
            next[more] = high;
            at = split(at, high);
        }
        return at;
    }

    private static BitSet range(int first, int last) {
        var set = new BitSet();
        set.set(first, last + 1);
        return set;
    }

    private int split(int one, int two) {
        return add(Op.SPLIT, one, two, new BitSet());
    }

    private int add(Op op, int then, int orThen, BitSet set) {
        if (size == ops.length) {
            ops = Arrays.copyOf(ops, 2 * size);
            next = Arrays.copyOf(next, 2 * size);
            other = Arrays.copyOf(other, 2 * size);
            bytes = Arrays.copyOf(bytes, 2 * size);
            pattern = Arrays.copyOf(pattern, 2 * size);
        }
        ops[size] = op;
        next[size] = then;
        other[size] = orThen;
        bytes[size] = set;
        pattern[size] = compiled;
        return size++;
    }
}
