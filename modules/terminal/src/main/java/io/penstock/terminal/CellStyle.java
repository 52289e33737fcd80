package io.penstock.terminal;

import io.penstock.terminal.grid.Style;
import java.util.ArrayList;
import java.util.List;

/**
 * The style of cells in a readable form, for clients other than terminals.
 *
 * @param attributes by name, such as bold
 */
public record CellStyle(Colour foreground, Colour background, List<String> attributes) {

    private static final String[] UNDERLINES = {
        "", "underline", "double_underline", "curly_underline", "dotted_underline", "dashed_underline"
    };

    /** A colour, by the way that it was given. */
    public sealed interface Colour {}

    /** The terminal's default. */
    public record Default() implements Colour {}

    /** One of the 256 palette colours. */
    public record Palette(int index) implements Colour {}

    public record Rgb(int value) implements Colour {}

    public static CellStyle of(long style) {
        var attributes = new ArrayList<String>();
        add(attributes, style, Style.BOLD, "bold");
        add(attributes, style, Style.DIM, "dim");
        add(attributes, style, Style.ITALIC, "italic");
        add(attributes, style, Style.BLINK, "blink");
        add(attributes, style, Style.INVERSE, "inverse");
        add(attributes, style, Style.HIDDEN, "hidden");
        add(attributes, style, Style.STRUCK, "strikethrough");
        add(attributes, style, Style.OVERLINED, "overline");
        int underline = Style.underline(style);
        if (underline > 0) {
            attributes.add(UNDERLINES[underline]);
        }
        return new CellStyle(colour(Style.foreground(style)), colour(Style.background(style)), List.copyOf(attributes));
    }

    private static void add(List<String> attributes, long style, long flag, String name) {
        if ((style & flag) != 0) {
            attributes.add(name);
        }
    }

    private static Colour colour(int colour) {
        int value = colour & Style.VALUE;
        return switch (colour & ~Style.VALUE) {
            case Style.PALETTE -> new Palette(value);
            case Style.RGB -> new Rgb(value);
            default -> new Default();
        };
    }
}
