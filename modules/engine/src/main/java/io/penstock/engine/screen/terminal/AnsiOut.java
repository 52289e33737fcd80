package io.penstock.engine.screen.terminal;

/** What is written for a screen, as far as it has come. It knows how what it writes next will look. */
final class AnsiOut {

    private static final String CSI = "\u001b[";

    private final StringBuilder out = new StringBuilder();
    private long pen = Style.PLAIN;

    void text(String text) {
        out.append(text);
    }

    void control(char code) {
        out.append(code);
    }

    void csi(char end) {
        out.append(CSI).append(end);
    }

    void csi(int number, char end) {
        out.append(CSI).append(number).append(end);
    }

    void csi(int first, int second, char end) {
        out.append(CSI).append(first).append(';').append(second).append(end);
    }

    void mode(int number, boolean on) {
        out.append(CSI).append('?').append(number).append(on ? 'h' : 'l');
    }

    void moveTo(int x, int y) {
        csi(y + 1, x + 1, 'H');
    }

    void column(int x) {
        csi(x + 1, 'G');
    }

    void pen(long style) {
        if (style != pen) {
            penAnew(style);
        }
    }

    /** Also where it is so already: a sequence parts what is before it from what follows. */
    void penAnew(long style) {
        pen = style;
        Sgr.append(out, style);
    }

    void designate(int which, char charset, char before) {
        if (charset != before) {
            out.append('\u001b').append((char) ('(' + which)).append(charset);
        }
    }

    /** Erases so many cells from the cursor on, and leaves them plain. */
    void wipe(int cells) {
        pen(Style.PLAIN);
        csi(cells, 'X');
    }

    /** Saves the cursor where it is. */
    void save(SavedCursor saved) {
        pen(saved.style());
        designate(0, saved.charset(), Charset.ASCII);
        out.append("\u001b7");
        designate(0, Charset.ASCII, saved.charset());
        pen(Style.PLAIN);
    }

    /** What was saved comes back, and how it looks with it. */
    void restore(SavedCursor saved) {
        out.append("\u001b8");
        pen = saved.style();
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
