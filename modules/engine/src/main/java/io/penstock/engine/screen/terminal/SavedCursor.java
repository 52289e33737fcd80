package io.penstock.engine.screen.terminal;

/** What {@code ESC 7} keeps for {@code ESC 8}: a place, counted from 0, how characters look, and which are meant. */
public record SavedCursor(int x, int y, long style, char charset) {

    public static final SavedCursor HOME = new SavedCursor(0, 0, Style.PLAIN, Charset.ASCII);
}
