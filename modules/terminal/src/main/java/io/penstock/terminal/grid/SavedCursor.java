package io.penstock.terminal.grid;

/**
 * The state that {@code ESC 7} saves for {@code ESC 8}: position, style and character set.
 *
 * @param x from 0; equal to the number of columns, or above it, if the cursor was behind the last one
 * @param y from the top of the screen; negative while its line is in the scrollback
 */
public record SavedCursor(int x, int y, long style, char charset) {

    public static final SavedCursor HOME = new SavedCursor(0, 0, Style.PLAIN, Charset.ASCII);

    public SavedCursor within(int mostX, int mostY) {
        return x <= mostX && y <= mostY
                ? this
                : new SavedCursor(Math.min(x, mostX), Math.min(y, mostY), style, charset);
    }

    public SavedCursor onRow(int row) {
        return row == y ? this : new SavedCursor(x, row, style, charset);
    }
}
