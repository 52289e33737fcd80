package io.penstock.terminal.grid;

/**
 * The style of a cell in one long: 26 bits of foreground, 26 of background (two for the kind of colour, 24 for its value), eight
 * attributes, three bits for the kind of underline, and one for a hyperlink.
 */
public final class Style {

    /** No colour or attribute set. */
    public static final long PLAIN = 0;

    public static final long BOLD = 1L << 52;
    public static final long DIM = 1L << 53;
    public static final long ITALIC = 1L << 54;
    public static final long BLINK = 1L << 55;
    public static final long INVERSE = 1L << 56;
    public static final long HIDDEN = 1L << 57;
    public static final long STRUCK = 1L << 58;
    public static final long OVERLINED = 1L << 59;

    /** The cell has a hyperlink, whose number the line holds. The sign bit, because it is tested quickly. */
    public static final long LINKED = 1L << 63;

    private static final int BACKGROUND_AT = 26;
    private static final int UNDERLINE_AT = 60;
    private static final long COLOUR = (1L << 26) - 1;
    private static final long UNDERLINE = 7L << UNDERLINE_AT;

    /** Kinds of colour, in the two bits above its 24. */
    public static final int PALETTE = 1 << 24;

    public static final int RGB = 2 << 24;
    public static final int VALUE = (1 << 24) - 1;

    private Style() {}

    public static int foreground(long style) {
        return (int) (style & COLOUR);
    }

    public static int background(long style) {
        return (int) (style >>> BACKGROUND_AT & COLOUR);
    }

    public static long withForeground(long style, int colour) {
        return style & ~COLOUR | colour;
    }

    public static long withBackground(long style, int colour) {
        return style & ~(COLOUR << BACKGROUND_AT) | (long) colour << BACKGROUND_AT;
    }

    /** The style of a cell erased with this style. */
    public static long backgroundOnly(long style) {
        return style & COLOUR << BACKGROUND_AT;
    }

    public static long unlinked(long style) {
        return style & ~LINKED;
    }

    /**
     * A saved style as xterm.js restores it: it keeps whether there was an underline or a link, but takes the kind of underline and
     * the link from the current style.
     */
    public static long restored(long saved, long now) {
        int underline = underline(saved);
        boolean either = underline > 0 || saved < 0;
        if (either && underline(now) > 0) {
            underline = underline(now);
        }
        return withUnderline(unlinked(saved), underline) | (either ? now & LINKED : 0);
    }

    /** 0 none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed. */
    public static int underline(long style) {
        return (int) (style >>> UNDERLINE_AT & 7);
    }

    public static long withUnderline(long style, int kind) {
        return style & ~UNDERLINE | (long) kind << UNDERLINE_AT;
    }
}
