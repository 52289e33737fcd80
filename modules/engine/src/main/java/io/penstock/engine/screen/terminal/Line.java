package io.penstock.engine.screen.terminal;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A line of cells. What was never written takes no memory, and neither do styles, combining marks and hyperlinks where there are none.
 * Beyond {@link #length()} all cells are blank and plain.
 */
final class Line {

    /** Nothing was written here; looks like a space, but is not text. */
    static final int BLANK = 0;

    /** The second cell of a wide character. */
    static final int REST = -1;

    /** Combining characters of one cell in UTF-16; more than any script needs. */
    private static final int MARK_CHARS = 32;

    private static final int[] NO_GLYPHS = {};

    private int[] glyphs = NO_GLYPHS;
    private long @Nullable [] styles;
    private String @Nullable [] marks;

    /** Numbers of hyperlinks, of those cells whose style says that they have one. */
    private int @Nullable [] links;

    private int length;
    private boolean wrapped;

    int length() {
        return length;
    }

    /** Whether it goes on with the line before, which was too short. */
    boolean isWrapped() {
        return wrapped;
    }

    void wrapped(boolean goesOn) {
        wrapped = goesOn;
    }

    int glyph(int at) {
        return at < length ? glyphs[at] : BLANK;
    }

    long style(int at) {
        long[] known = styles;
        return known == null || at >= length ? Style.PLAIN : known[at];
    }

    /** The combining marks behind the character of a cell. */
    @Nullable
    String marks(int at) {
        String[] known = marks;
        return known == null || at >= length ? null : known[at];
    }

    /** The number of the hyperlink that a cell belongs to, or 0. */
    int link(int at) {
        int[] known = links;
        return known == null || style(at) >= 0 ? 0 : known[at];
    }

    void addLinks(BitSet numbers) {
        for (int at = 0; links != null && at < length; at++) {
            numbers.set(link(at));
        }
    }

    boolean isWide(int at) {
        return glyph(at + 1) == REST;
    }

    /** Whether its first cell is what is left of a wide character, or will be once the second one is written to. */
    boolean beginsWithHalf() {
        return isWide(0) || glyph(0) == BLANK && style(0) != Style.backgroundOnly(style(0));
    }

    private void reach(int end, int cols) {
        if (end <= length) {
            return;
        }
        if (end > glyphs.length) {
            int room = Math.max(end, Math.min(cols, Math.max(16, 2 * glyphs.length)));
            glyphs = Arrays.copyOf(glyphs, room);
            long[] known = styles;
            styles = known == null ? null : Arrays.copyOf(known, room);
            String[] kept = marks;
            marks = kept == null ? null : Arrays.copyOf(kept, room);
            int[] numbers = links;
            links = numbers == null ? null : Arrays.copyOf(numbers, room);
        }
        Arrays.fill(glyphs, length, end, BLANK);
        if (styles != null) {
            Arrays.fill(styles, length, end, Style.PLAIN);
        }
        if (marks != null) {
            Arrays.fill(marks, length, end, null);
        }
        length = end;
    }

    private void look(int from, int to, long style, int link) {
        long[] known = styles;
        if (known == null) {
            if (style == Style.PLAIN) {
                return;
            }
            known = new long[glyphs.length];
            styles = known;
        }
        Arrays.fill(known, from, to, style);
        if (style < 0) {
            int[] numbers = links;
            if (numbers == null) {
                numbers = new int[glyphs.length];
                links = numbers;
            }
            Arrays.fill(numbers, from, to, link);
        }
    }

    private void noMarks(int from, int to) {
        String[] known = marks;
        if (known != null) {
            Arrays.fill(known, from, to, null);
        }
    }

    /** Writes characters of one cell each. */
    void write(int at, byte[] ascii, int from, int count, long style, int link, int cols) {
        reach(at + count, cols);
        for (int i = 0; i < count; i++) {
            glyphs[at + i] = ascii[from + i];
        }
        look(at, at + count, style, link);
        noMarks(at, at + count);
    }

    void write(int at, int glyph, int cells, long style, int link, int cols) {
        reach(at + cells, cols);
        glyphs[at] = glyph;
        if (cells == 2) {
            glyphs[at + 1] = REST;
        }
        look(at, at + cells, style, link);
        noMarks(at, at + cells);
    }

    void mark(int at, int combining) {
        if (at >= length || glyphs[at] == BLANK) {
            return;
        }
        String[] known = marks;
        if (known == null) {
            known = new String[glyphs.length];
            marks = known;
        }
        String before = known[at] == null ? "" : known[at];
        String after = before + Character.toString(combining);
        if (after.length() <= MARK_CHARS) {
            known[at] = after;
        }
    }

    /** Leaves nothing but a background between two places; of a wide character that is cut nothing stays. */
    void erase(int from, int to, long background, int cols) {
        erase(from, to, background, 0, cols);
    }

    /** The same with the hyperlink that they belong to. */
    void erase(int from, int to, long style, int link, int cols) {
        if (from >= to) {
            return;
        }
        blank(from, to, style, link, cols);
        mend(from, style, link, cols);
        mend(to, style, link, cols);
    }

    private void blank(int from, int to, long background, int cols) {
        blank(from, to, background, 0, cols);
    }

    private void blank(int from, int to, long background, int link, int cols) {
        if (background == Style.PLAIN && to >= length) {
            length = Math.min(length, from);
            return;
        }
        reach(to, cols);
        Arrays.fill(glyphs, from, to, BLANK);
        look(from, to, background, link);
        noMarks(from, to);
    }

    /** Takes away what is left of a wide character that does not lie whole on both sides of this place. */
    void mend(int at, long style, int link, int cols) {
        boolean beginsBefore = at > 0 && glyph(at - 1) > 0xff && CharWidth.of(glyph(at - 1)) == 2;
        boolean endsHere = glyph(at) == REST;
        if (beginsBefore && !endsHere) {
            blank(at - 1, at, style, link, cols);
        } else if (endsHere && !beginsBefore) {
            blank(at, at + 1, style, link, cols);
        }
    }

    void insert(int at, int wanted, long background, int link, int cols) {
        int count = Math.min(wanted, cols - at);
        if (glyph(at) == REST) {
            blank(at - 1, at + 1, background, link, cols);
        }
        if (length > at) {
            int kept = Math.min(length - at, cols - at - count);
            reach(at + count + kept, cols);
            move(at, at + count, kept);
        } else if (background == Style.PLAIN) {
            return;
        }
        reach(at + count, cols);
        Arrays.fill(glyphs, at, at + count, BLANK);
        look(at, at + count, background, link);
        noMarks(at, at + count);
        mend(cols, background, link, cols);
    }

    void delete(int at, int count, long background, int cols) {
        if (glyph(at) == REST) {
            blank(at - 1, at + 1, background, cols);
        }
        int before = length;
        int from = Math.min(cols, at + count);
        int moved = Math.max(0, before - from);
        if (moved > 0) {
            move(from, at, moved);
        }
        if (before > at) {
            length = at + moved;
        }
        if (background != Style.PLAIN) {
            int left = Math.max(at, cols - count);
            blank(left, cols, background, cols);
        }
        if (glyph(at) == REST) {
            blank(at, at + 1, background, cols);
        }
    }

    private void move(int from, int to, int count) {
        System.arraycopy(glyphs, from, glyphs, to, count);
        if (styles != null) {
            System.arraycopy(styles, from, styles, to, count);
        }
        if (marks != null) {
            System.arraycopy(marks, from, marks, to, count);
        }
        if (links != null) {
            System.arraycopy(links, from, links, to, count);
        }
    }

    void clear(long background, int cols) {
        // What there is room in already is written to again.
        length = 0;
        marks = null;
        links = null;
        wrapped = false;
        if (background != Style.PLAIN) {
            blank(0, cols, background, cols);
        }
    }

    void cut(int cols) {
        if (length > cols) {
            length = cols;
            mend(cols, Style.PLAIN, 0, cols);
        }
    }

    /** Where its text ends: what is behind is blank, with or without a background. */
    int textLength() {
        int end = length;
        while (end > 0 && glyphs[end - 1] == BLANK) {
            end--;
        }
        return end;
    }

    /** Copies cells of another line to the end of this one. */
    void add(Line other, int from, int to, int cols) {
        int at = length;
        reach(at + to - from, cols);
        System.arraycopy(other.glyphs, from, glyphs, at, to - from);
        for (int i = from; i < to; i++) {
            long style = other.style(i);
            if (style != Style.PLAIN) {
                look(at + i - from, at + i - from + 1, style, other.link(i));
            }
            String kept = other.marks(i);
            if (kept != null) {
                String[] known = marks;
                if (known == null) {
                    known = new String[glyphs.length];
                    marks = known;
                }
                known[at + i - from] = kept;
            }
        }
    }

    /** Adds blank cells. */
    void pad(int cells) {
        reach(length + cells, length + cells);
    }
}
