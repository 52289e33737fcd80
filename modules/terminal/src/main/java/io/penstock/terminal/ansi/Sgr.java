package io.penstock.terminal.ansi;

import io.penstock.terminal.grid.Style;

/** Writes a style as the SGR sequence that sets it, whatever style was set before. */
final class Sgr {

    private static final long[] FLAGS = {
        Style.BOLD, Style.DIM, Style.ITALIC, Style.BLINK, Style.INVERSE, Style.HIDDEN, Style.STRUCK, Style.OVERLINED
    };
    private static final int[] CODES = {1, 2, 3, 5, 7, 8, 9, 53};

    private Sgr() {}

    static void append(StringBuilder out, long style) {
        out.append("\u001b[");
        if (style != Style.PLAIN) {
            out.append('0');
            appendLook(out, style);
        }
        out.append('m');
    }

    private static void appendLook(StringBuilder out, long style) {
        for (int i = 0; i < FLAGS.length; i++) {
            if ((style & FLAGS[i]) != 0) {
                out.append(';').append(CODES[i]);
            }
        }
        int underline = Style.underline(style);
        if (underline == 1) {
            out.append(";4");
        } else if (underline > 1) {
            out.append(";4:").append(underline);
        }
        colour(out, 30, Style.foreground(style));
        colour(out, 40, Style.background(style));
    }

    private static void colour(StringBuilder out, int base, int colour) {
        int value = colour & Style.VALUE;
        switch (colour & ~Style.VALUE) {
            case Style.PALETTE -> {
                out.append(';');
                if (value < 8) {
                    out.append(base + value);
                } else if (value < 16) {
                    out.append(base + 60 + value - 8);
                } else {
                    out.append(base + 8).append(";5;").append(value);
                }
            }
            case Style.RGB ->
                out.append(';')
                        .append(base + 8)
                        .append(";2;")
                        .append(value >> 16)
                        .append(';')
                        .append(value >> 8 & 0xff)
                        .append(';')
                        .append(value & 0xff);
            default -> {}
        }
    }
}
