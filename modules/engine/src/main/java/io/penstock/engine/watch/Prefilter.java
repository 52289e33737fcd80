package io.penstock.engine.watch;

import io.penstock.frames.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Finds the texts that may match some patterns, in one pass over the bytes for all of them: a deterministic automaton, built state by state
 * as bytes come. A text without candidates has no match; one with candidates is for the patterns themselves. A pattern for which the states
 * do not repeat is left out, and each text is then a candidate for it.
 */
final class Prefilter {

    private static final int UNKNOWN = -1;
    /** The line that ends here has candidates. */
    private static final int CANDIDATES = -2;
    /** A table that is full again after fewer bytes per state saves nothing. */
    private static final int BYTES_PER_STATE = 32;
    /** Restarts add a state or two without looking at the size of the table. */
    private static final int SPARE_STATES = 4;

    private final List<Outline> outlines;
    private final boolean lines;

    /** The patterns that the program has, as bits. */
    private int active;

    /** The patterns that were left out, as bits. */
    private int always;

    private byte[] classes = new byte[0];
    private byte[] sampleOfClass = new byte[0];
    private int shift;

    /** The state after a byte: {@code table[state << shift | class]}. */
    private int[] table = new int[0];

    private final List<States.State> states = new ArrayList<>();
    private final Map<States.State, Integer> known = new HashMap<>();
    private States builder = new States(new ByteProgram(List.of(), true), new int[0], 0);
    private int state;
    private long bytesSinceClear;

    /**
     * @param active the patterns to look for, as bits
     * @param lines whether a text is a line; otherwise it is everything since the last {@link #restart}
     */
    Prefilter(List<Outline> outlines, int active, boolean lines) {
        this.outlines = outlines;
        this.lines = lines;
        compile(active);
        restart(true);
    }

    private void compile(int patterns) {
        active = patterns;
        int[] bits = IntStream.range(0, outlines.size())
                .map(i -> 1 << i)
                .filter(bit -> (patterns & bit) != 0)
                .toArray();
        var program = new ByteProgram(
                Arrays.stream(bits)
                        .mapToObj(bit -> outlines.get(Integer.numberOfTrailingZeros(bit)))
                        .toList(),
                lines);
        builder = new States(program, bits, always);
        classes = program.classes();
        int count = 0;
        for (byte c : classes) {
            count = Math.max(count, (c & 0xFF) + 1);
        }
        sampleOfClass = new byte[count];
        for (int b = 0; b < 256; b++) {
            sampleOfClass[classes[b] & 0xFF] = (byte) b;
        }
        shift = 32 - Integer.numberOfLeadingZeros(count - 1);
        table = new int[16 << shift];
        clear();
    }

    /** The size of the table. */
    int entries() {
        return table.length;
    }

    private void clear() {
        states.clear();
        known.clear();
        bytesSinceClear = 0;
    }

    /** Forgets the text so far. */
    void restart(boolean atStart) {
        state = idOf(builder.first(atStart));
    }

    /** The patterns that may match the text so far, if it ends here. */
    int candidates() {
        States.State current = states.get(state);
        return current.matched() | current.matchedAtEnd();
    }

    /**
     * Reads bytes until a line with candidates ends. Returns the index of its line end, and {@link #candidates} are its; continue after
     * {@link #restart}. Otherwise returns {@code to}.
     */
    int scan(byte[] bytes, int from, int to) {
        int at = from;
        int counted = from;
        int current = state;
        int[] transitions = table;
        while (at < to) {
            int next = transitions[current << shift | classes[bytes[at] & 0xFF] & 0xFF];
            if (next < 0) {
                if (next == CANDIDATES) {
                    break;
                }
                bytesSinceClear += at - counted;
                counted = at;
                state = current;
                learn(bytes[at]);
                current = state;
                transitions = table;
                continue;
            }
            current = next;
            at++;
        }
        bytesSinceClear += at - counted;
        state = current;
        return at;
    }

    /** Adds the transition of the present state for this byte, or makes room for it. */
    private void learn(byte value) {
        States.State from = states.get(state);
        if ((states.size() + SPARE_STATES) << shift > Limits.WATCH_TABLE_ENTRIES) {
            makeRoom(from);
            return;
        }
        int byteClass = classes[value & 0xFF] & 0xFF;
        boolean lineEnd = lines && (value == '\n' || value == '\r');
        int next;
        if (!lineEnd) {
            next = idOf(builder.after(from, sampleOfClass[byteClass] & 0xFF));
        } else if (candidates() != 0) {
            next = CANDIDATES;
        } else {
            next = idOf(builder.first(true));
        }
        table[state << shift | byteClass] = next;
    }

    private void makeRoom(States.State from) {
        boolean worthwhile = bytesSinceClear >= (long) states.size() * BYTES_PER_STATE;
        if (worthwhile) {
            clear();
            state = idOf(from);
        } else {
            int left = builder.largest(from);
            always |= left;
            compile(active & ~left);
            state = idOf(builder.allMatched());
        }
    }

    private int idOf(States.State wanted) {
        Integer id = known.get(wanted);
        if (id != null) {
            return id;
        }
        int added = states.size();
        if ((added + 1) << shift > table.length) {
            table = Arrays.copyOf(table, 2 * table.length);
        }
        Arrays.fill(table, added << shift, (added + 1) << shift, UNKNOWN);
        states.add(wanted);
        known.put(wanted, added);
        return added;
    }
}
