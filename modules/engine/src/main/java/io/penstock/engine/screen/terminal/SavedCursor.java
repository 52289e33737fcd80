package io.penstock.engine.screen.terminal;

/**
 * What {@code ESC 7} keeps for {@code ESC 8}: a place, how characters look, and which are meant.
 *
 * @param x from 0; equal to the columns or beyond them where the cursor hung behind the last one
 * @param y from the top of the screen; less than 0 once its line has left the screen, which may come back
 */
public record SavedCursor(int x, int y, long style, char charset) {

    public static final SavedCursor HOME = new SavedCursor(0, 0, Style.PLAIN, Charset.ASCII);

    SavedCursor within(int mostX, int mostY) {
        return x <= mostX && y <= mostY
                ? this
                : new SavedCursor(Math.min(x, mostX), Math.min(y, mostY), style, charset);
    }

    SavedCursor onRow(int row) {
        return row == y ? this : new SavedCursor(x, row, style, charset);
    }
}
