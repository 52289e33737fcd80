package io.penstock.engine.watch;

import java.util.List;

/**
 * A superset of a pattern: it matches wherever the pattern does, and possibly elsewhere. It tells the common ASCII characters apart and
 * takes most others for one another, so that a small automaton over bytes suffices to rule out most text.
 */
sealed interface Outline {

    Outline NOTHING = new Sequence(List.of());

    /** Whether it matches without a character. Exact: no element of a pattern matches both with and without one by approximation. */
    boolean empty();

    /** Upper bound of the instructions into which the pattern compiles. */
    long steps();

    /** One character of a set. */
    record Char(CharSet set) implements Outline {
        @Override
        public boolean empty() {
            return false;
        }

        @Override
        public long steps() {
            return 1;
        }
    }

    /** A character outside ASCII, in UTF-8. */
    record Encoded(String character) implements Outline {
        @Override
        public boolean empty() {
            return false;
        }

        @Override
        public long steps() {
            return 1;
        }
    }

    /** The start or the end of the text. Other assertions always hold here. */
    record Edge(boolean start) implements Outline {
        @Override
        public boolean empty() {
            return true;
        }

        @Override
        public long steps() {
            return 1;
        }
    }

    record Sequence(List<Outline> parts) implements Outline {
        @Override
        public boolean empty() {
            return parts.stream().allMatch(Outline::empty);
        }

        @Override
        public long steps() {
            return 2 + parts.stream().mapToLong(Outline::steps).sum();
        }
    }

    record Either(List<Outline> parts) implements Outline {
        @Override
        public boolean empty() {
            return parts.stream().anyMatch(Outline::empty);
        }

        @Override
        public long steps() {
            return parts.stream().mapToLong(part -> part.steps() + 1).sum();
        }
    }

    /** @param most {@link #ENDLESS} if there is no upper bound */
    record Repeat(Outline part, int least, int most) implements Outline {

        static final int ENDLESS = Integer.MAX_VALUE;

        /** Nested repetitions multiply; beyond this, only the fact that it is too much matters. */
        private static final long MANY_STEPS = 1L << 32;

        @Override
        public boolean empty() {
            return least == 0 || part.empty();
        }

        @Override
        public long steps() {
            long loop = most == ENDLESS ? 2 + part.steps() : (most - least) * (part.steps() + 1);
            return Math.min(MANY_STEPS, least * part.steps() + loop);
        }
    }
}
