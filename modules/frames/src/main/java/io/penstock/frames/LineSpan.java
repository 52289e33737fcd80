package io.penstock.frames;

/**
 * The lines that a piece of output touches. A line ends with its line feed; the bytes after the last line feed are a line too.
 *
 * @param first the line of the first byte, counted from 1 at the channel's very first byte
 * @param count the number of lines with a byte in the piece
 */
public record LineSpan(long first, int count) {

    public LineSpan {
        Checks.atLeastOne(first, "first_line");
        Checks.notNegative(first, "first_line");
        Checks.atLeastOne(count, "lines");
    }
}
