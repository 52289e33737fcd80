package io.penstock.engine.watch;

import java.util.Arrays;

/** Computes the states of a prefilter: the instructions of a program that are reached after some bytes. */
final class States {

    /**
     * @param matched the patterns that have matched, as bits; their instructions are left out
     * @param matchedAtEnd the patterns that also match if the text ends here
     * @param at the instructions that wait for a byte or for the end of the text, in order
     */
    record State(int matched, int matchedAtEnd, int[] at) {

        @Override
        public boolean equals(Object other) {
            return other instanceof State state && matched == state.matched && Arrays.equals(at, state.at);
        }

        @Override
        public int hashCode() {
            return 31 * Arrays.hashCode(at) + matched;
        }
    }

    private final ByteProgram program;
    private final int[] bits;
    private final int always;

    private final boolean[] reached;
    private final int[] stack;
    private final int[] waiting;
    private int stacked;
    private int waits;
    private int matched;

    /**
     * @param bits the bit of each pattern of the program
     * @param always patterns that count as matched from the start
     */
    States(ByteProgram program, int[] bits, int always) {
        this.program = program;
        this.bits = bits;
        this.always = always;
        reached = new boolean[program.size()];
        stack = new int[program.size()];
        waiting = new int[program.size()];
    }

    /** The state before the first byte. */
    State first(boolean atStart) {
        begin(always);
        reachStarts(atStart);
        return state();
    }

    State after(State state, int value) {
        begin(state.matched());
        for (int at : state.at()) {
            if (program.op(at) == ByteProgram.Op.BYTE && program.consumes(at, value)) {
                reach(program.next(at), false, false);
            }
        }
        reachStarts(false);
        return state();
    }

    /** The state in which every pattern has matched. */
    State allMatched() {
        int all = always;
        for (int bit : bits) {
            all |= bit;
        }
        return new State(all, 0, new int[0]);
    }

    /** The pattern with most instructions in this state, as a bit. */
    int largest(State state) {
        var counts = new int[bits.length];
        int largest = 0;
        for (int at : state.at()) {
            counts[program.pattern(at)]++;
        }
        for (int i = 1; i < counts.length; i++) {
            largest = counts[i] > counts[largest] ? i : largest;
        }
        return bits[largest];
    }

    private void begin(int alreadyMatched) {
        Arrays.fill(reached, false);
        waits = 0;
        matched = alreadyMatched;
    }

    private void reachStarts(boolean atStart) {
        for (int i = 0; i < bits.length; i++) {
            if ((matched & bits[i]) == 0) {
                reach(program.start(i), atStart, false);
            }
        }
    }

    private void reach(int from, boolean atStart, boolean atEnd) {
        push(from);
        while (stacked > 0) {
            int at = stack[--stacked];
            switch (program.op(at)) {
                case BYTE -> waiting[waits++] = at;
                case SPLIT -> {
                    push(program.next(at));
                    push(program.other(at));
                }
                case START -> {
                    if (atStart) {
                        push(program.next(at));
                    }
                }
                case END -> {
                    if (atEnd) {
                        push(program.next(at));
                    } else {
                        waiting[waits++] = at;
                    }
                }
                case MATCH -> matched |= bits[program.pattern(at)];
            }
        }
    }

    private void push(int at) {
        if (!reached[at]) {
            reached[at] = true;
            stack[stacked++] = at;
        }
    }

    private State state() {
        int now = matched;
        int[] at = Arrays.stream(waiting, 0, waits)
                .filter(one -> (now & bits[program.pattern(one)]) == 0)
                .sorted()
                .toArray();
        return new State(now, atEnd(at), at);
    }

    private int atEnd(int[] at) {
        begin(0);
        for (int one : at) {
            if (program.op(one) == ByteProgram.Op.END) {
                reach(program.next(one), false, true);
            }
        }
        return matched;
    }
}
