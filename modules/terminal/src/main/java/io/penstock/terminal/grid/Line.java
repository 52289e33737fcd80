package io.penstock.terminal.grid;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A line of cells. Unwritten cells take no memory, nor do styles, combining marks and hyperlinks in a line that has none. Beyond
 * {@link #length()} all cells are blank and plain.
 */
public final class Line {

    /** Nothing was written here; shown as a space, but not text. */
    public static final int BLANK = 0;

    /** The second cell of a wide character. */
    public static final int REST = -1;

    /** Combining characters of one cell in UTF-16; more than any script needs. */
    public static final int MARK_CHARS = 32;

    private static final int[] NO_GLYPHS = {};

    private int[] glyphs = NO_GLYPHS;
    private long @Nullable [] styles;
    private String @Nullable [] marks;

    /** Hyperlink numbers of the cells whose style has {@link Style#LINKED}. */
    private int @Nullable [] links;

    private int length;
    private boolean wrapped;

    /** Whether all cells equal the first one, without marks and hyperlinks. False if unknown. */
    private boolean uniform;

    public int length() {
        return length;
    }

    /** Whether this line continues the one before it. */
    public boolean isWrapped() {
        return wrapped;
    }

    public void wrapped(boolean goesOn) {
        wrapped = goesOn;
    }

    public int glyph(int at) {
        return at < length ? glyphs[at] : BLANK;
    }

    public long style(int at) {
        long[] known = styles;
        return known == null || at >= length ? Style.PLAIN : known[at];
    }

    /** The combining marks behind the character of a cell. */
    @Nullable
    public String marks(int at) {
        String[] known = marks;
        return known == null || at >= length ? null : known[at];
    }

    /** The number of the hyperlink that a cell belongs to, or 0. */
    public int link(int at) {
        int[] known = links;
        return known == null || style(at) >= 0 ? 0 : known[at];
    }

    public void addLinks(BitSet numbers) {
        for (int at = 0; links != null && at < length; at++) {
            numbers.set(link(at));
        }
    }

    boolean isWide(int at) {
        return glyph(at + 1) == REST;
    }

    /** Whether its first cell is half of a wide character, or becomes one once the second cell is overwritten. */
    public boolean beginsWithHalf() {
        return isWide(0) || glyph(0) == BLANK && style(0) != Style.backgroundOnly(style(0));
    }

    private void extend(int end, int cols) {
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

    private void applyStyle(int from, int to, long style, int link) {
        uniform = false;
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

    private void clearMarks(int from, int to) {
        String[] known = marks;
        if (known != null) {
            Arrays.fill(known, from, to, null);
        }
    }

    /** Writes characters of one cell each. */
    public void write(int at, byte[] ascii, int from, int count, long style, int link, int cols) {
        extend(at + count, cols);
        for (int i = 0; i < count; i++) {
            glyphs[at + i] = ascii[from + i];
        }
        applyStyle(at, at + count, style, link);
        clearMarks(at, at + count);
    }

    public void write(int at, int glyph, int cells, long style, int link, int cols) {
        extend(at + cells, cols);
        glyphs[at] = glyph;
        if (cells == 2) {
            glyphs[at + 1] = REST;
        }
        applyStyle(at, at + cells, style, link);
        clearMarks(at, at + cells);
    }

    public void mark(int at, int combining) {
        if (at >= length || glyphs[at] == BLANK) {
            return;
        }
        uniform = false;
        String[] known = marks();
        String before = known[at] == null ? "" : known[at];
        String after = before + Character.toString(combining);
        if (after.length() <= MARK_CHARS) {
            known[at] = after;
        }
    }

    /** Clears the cells between two columns to a background, with both halves of a wide character that is cut. */
    public void erase(int from, int to, long background, int cols) {
        erase(from, to, background, 0, cols);
    }

    /** Likewise, and gives the cells a hyperlink. */
    public void erase(int from, int to, long style, int link, int cols) {
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
        extend(to, cols);
        Arrays.fill(glyphs, from, to, BLANK);
        applyStyle(from, to, background, link);
        clearMarks(from, to);
    }

    /** Clears the remaining half of a wide character that was cut at this column. */
    public void mend(int at, long style, int link, int cols) {
        boolean beginsBefore = at > 0 && glyph(at - 1) > 0xff && CharWidth.of(glyph(at - 1)) == 2;
        boolean endsHere = glyph(at) == REST;
        if (beginsBefore && !endsHere) {
            blank(at - 1, at, style, link, cols);
        } else if (endsHere && !beginsBefore) {
            blank(at, at + 1, style, link, cols);
        }
    }

    public void insert(int at, int wanted, long background, int link, int cols) {
        int count = Math.min(wanted, cols - at);
        if (glyph(at) == REST) {
            blank(at - 1, at + 1, background, link, cols);
        }
        if (length > at) {
            int kept = Math.min(length - at, cols - at - count);
            extend(at + count + kept, cols);
            move(at, at + count, kept);
        } else if (background == Style.PLAIN) {
            return;
        }
        extend(at + count, cols);
        Arrays.fill(glyphs, at, at + count, BLANK);
        applyStyle(at, at + count, background, link);
        clearMarks(at, at + count);
        mend(cols, background, link, cols);
    }

    public void delete(int at, int count, long background, int cols) {
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
        uniform = false;
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

    /** Clears the line to a background; returns the number of cells changed. */
    int clear(long background, int cols) {
        if (background != Style.PLAIN) {
            return fill(BLANK, background, cols);
        }
        clear();
        return 1;
    }

    /** Keeps the arrays of glyphs and styles for reuse. */
    void clear() {
        length = 0;
        marks = null;
        links = null;
        wrapped = false;
    }

    /** Makes all cells the same, without hyperlinks; returns the cells changed, which is 1 if they were the same already. */
    int fill(int glyph, long style, int cols) {
        wrapped = false;
        if (uniform && length == cols && glyphs[0] == glyph && style(0) == style) {
            return 1;
        }
        clear();
        extend(cols, cols);
        Arrays.fill(glyphs, 0, cols, glyph);
        applyStyle(0, cols, style, 0);
        uniform = true;
        return 1 + cols;
    }

    /** Writes a character of one or two cells several times, each with the same marks. */
    public void repeat(int at, int times, int glyph, int cells, @Nullable String mark, long style, int link, int cols) {
        int end = at + times * cells;
        extend(end, cols);
        Arrays.fill(glyphs, at, end, glyph);
        for (int rest = at + 1; cells == 2 && rest < end; rest += 2) {
            glyphs[rest] = REST;
        }
        applyStyle(at, end, style, link);
        clearMarks(at, end);
        for (int each = at; mark != null && each < end; each += cells) {
            marks()[each] = mark;
        }
    }

    private String[] marks() {
        String[] known = marks;
        if (known == null) {
            known = new String[glyphs.length];
            marks = known;
        }
        return known;
    }

    void cut(int cols) {
        if (length > cols) {
            length = cols;
            mend(cols, Style.PLAIN, 0, cols);
        }
    }

    /** The end of its text: the cells behind it are blank, with or without a background. */
    int textLength() {
        int end = length;
        while (end > 0 && glyphs[end - 1] == BLANK) {
            end--;
        }
        return end;
    }

    /** Copies cells of another line to the end of this one. */
    void add(Line other, int from, int to, int cols) {
        uniform = false;
        int at = length;
        extend(at + to - from, cols);
        System.arraycopy(other.glyphs, from, glyphs, at, to - from);
        for (int i = from; i < to; i++) {
            long style = other.style(i);
            if (style != Style.PLAIN) {
                applyStyle(at + i - from, at + i - from + 1, style, other.link(i));
            }
            String kept = other.marks(i);
            if (kept != null) {
                marks()[at + i - from] = kept;
            }
        }
    }

    /** Adds blank cells. */
    void pad(int cells) {
        uniform = false;
        extend(length + cells, length + cells);
    }
}
