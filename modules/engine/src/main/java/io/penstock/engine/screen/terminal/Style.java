package io.penstock.engine.screen.terminal;

/**
 * How a cell looks, in one long: 26 bits of foreground, 26 of background (two for the kind of colour, 24 for which), eight
 * attributes, and three for the kind of underline.
 */
public final class Style {

    /** Nothing set. */
    public static final long PLAIN = 0;

    static final long BOLD = 1L << 52;
    static final long DIM = 1L << 53;
    static final long ITALIC = 1L << 54;
    static final long BLINK = 1L << 55;
    static final long INVERSE = 1L << 56;
    static final long HIDDEN = 1L << 57;
    static final long STRUCK = 1L << 58;
    static final long OVERLINED = 1L << 59;

    private static final int BACKGROUND_AT = 26;
    private static final int UNDERLINE_AT = 60;
    private static final long COLOUR = (1L << 26) - 1;
    private static final long UNDERLINE = 7L << UNDERLINE_AT;

    /** Kinds of colour, in the two bits above its 24. */
    static final int PALETTE = 1 << 24;

    static final int RGB = 2 << 24;
    static final int VALUE = (1 << 24) - 1;

    private Style() {}

    static int foreground(long style) {
        return (int) (style & COLOUR);
    }

    static int background(long style) {
        return (int) (style >>> BACKGROUND_AT & COLOUR);
    }

    static long withForeground(long style, int colour) {
        return style & ~COLOUR | colour;
    }

    static long withBackground(long style, int colour) {
        return style & ~(COLOUR << BACKGROUND_AT) | (long) colour << BACKGROUND_AT;
    }

    /** What an erased cell keeps of it. */
    static long backgroundOnly(long style) {
        return style & COLOUR << BACKGROUND_AT;
    }

    /** 0 none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed. */
    static int underline(long style) {
        return (int) (style >>> UNDERLINE_AT & 7);
    }

    static long withUnderline(long style, int kind) {
        return style & ~UNDERLINE | (long) kind << UNDERLINE_AT;
    }
}
