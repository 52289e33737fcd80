package io.penstock.terminal;

import io.penstock.terminal.grid.Style;
import io.penstock.terminal.parser.Params;

/** Changes a style by the parameters of an SGR sequence, which do not affect hyperlinks. */
final class Pen {

    private Pen() {}

    static long apply(long before, Params params) {
        long style = before;
        for (int i = 0; i < params.count(); ) {
            int code = params.at(i);
            if (code == 38 || code == 48 || code == 58) {
                Colour colour = Colour.read(params, i);
                if (colour.value() >= 0) {
                    style = code == 38
                            ? Style.withForeground(style, colour.value())
                            : code == 48 ? Style.withBackground(style, colour.value()) : style;
                }
                i = colour.next();
            } else {
                style = code == 4 && params.isSub(i + 1)
                        ? Style.withUnderline(style, underline(params.at(i + 1)))
                        : apply(style, code);
                i = params.after(i);
            }
        }
        return style;
    }

    private static int underline(int kind) {
        return kind < 0 || kind > 5 ? 1 : kind;
    }

    private static long apply(long style, int code) {
        if (code >= 30 && code <= 37) {
            return Style.withForeground(style, Style.PALETTE | code - 30);
        }
        if (code >= 40 && code <= 47) {
            return Style.withBackground(style, Style.PALETTE | code - 40);
        }
        if (code >= 90 && code <= 97) {
            return Style.withForeground(style, Style.PALETTE | code - 90 + 8);
        }
        if (code >= 100 && code <= 107) {
            return Style.withBackground(style, Style.PALETTE | code - 100 + 8);
        }
        return switch (code) {
            case 0 -> style & Style.LINKED;
            case 1 -> style | Style.BOLD;
            case 2 -> style | Style.DIM;
            case 3 -> style | Style.ITALIC;
            case 4 -> Style.withUnderline(style, 1);
            case 5 -> style | Style.BLINK;
            case 7 -> style | Style.INVERSE;
            case 8 -> style | Style.HIDDEN;
            case 9 -> style | Style.STRUCK;
            case 21 -> Style.withUnderline(style, 2);
            case 22 -> style & ~(Style.BOLD | Style.DIM);
            case 23 -> style & ~Style.ITALIC;
            case 24 -> Style.withUnderline(style, 0);
            case 25 -> style & ~Style.BLINK;
            case 27 -> style & ~Style.INVERSE;
            case 28 -> style & ~Style.HIDDEN;
            case 29 -> style & ~Style.STRUCK;
            case 39 -> Style.withForeground(style, 0);
            case 49 -> Style.withBackground(style, 0);
            case 53 -> style | Style.OVERLINED;
            case 55 -> style & ~Style.OVERLINED;
            default -> style;
        };
    }

    /** A colour of the extended forms, or -1, and the index of the next parameter. Both 38;2;r;g;b and 38:2::r:g:b are in use. */
    private record Colour(int value, int next) {

        static Colour read(Params params, int at) {
            boolean colons = params.isSub(at + 1);
            int end = colons ? params.after(at) : params.count();
            int kind = at + 1 < end ? params.at(at + 1) : 0;
            if (kind == 5) {
                int next = colons ? end : Math.min(end, at + 3);
                return at + 2 < end
                        ? new Colour(Style.PALETTE | Math.max(0, params.at(at + 2)) & 0xff, next)
                        : new Colour(-1, next);
            }
            if (kind == 2) {
                // With colons, a colour space may come first.
                int first = colons && end - at >= 6 ? at + 3 : at + 2;
                int next = colons ? end : Math.min(end, at + 5);
                return new Colour(
                        Style.RGB
                                | part(params, first, end) << 16
                                | part(params, first + 1, end) << 8
                                | part(params, first + 2, end),
                        next);
            }
            return new Colour(-1, colons ? end : Math.min(end, at + 2));
        }

        private static int part(Params params, int at, int end) {
            return at < end ? Math.max(0, params.at(at)) & 0xff : 0;
        }
    }
}
