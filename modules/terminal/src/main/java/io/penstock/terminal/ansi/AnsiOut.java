package io.penstock.terminal.ansi;

import io.penstock.terminal.Link;
import io.penstock.terminal.grid.Charset;
import io.penstock.terminal.grid.SavedCursor;
import io.penstock.terminal.grid.Style;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The escape sequences written so far for a screen. It tracks the current style and hyperlink. */
final class AnsiOut {

    private static final String CSI = "\u001b[";

    /** The terminal saves only that there is a link, not its address. */
    private static final Link ANY = new Link("x", "");

    private final StringBuilder out = new StringBuilder();
    private long pen = Style.PLAIN;
    private @Nullable Link link;

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
            rewritePen(style);
        }
    }

    /** Writes the sequence even if the style does not change: a sequence separates the text before it from a following mark. */
    void rewritePen(long style) {
        pen = style;
        Sgr.append(out, style);
    }

    void link(@Nullable Link wanted) {
        if (!Objects.equals(link, wanted)) {
            link = wanted;
            out.append("\u001b]8;");
            if (wanted != null) {
                out.append(wanted.id().isEmpty() ? "" : "id=").append(wanted.id());
                out.append(';').append(wanted.uri());
            } else {
                out.append(';');
            }
            out.append('\u0007');
        }
    }

    void designate(int which, char charset, char before) {
        if (charset != before) {
            out.append('\u001b').append((char) ('(' + which)).append(charset);
        }
    }

    /** Erases this number of cells from the cursor on and leaves them plain. */
    void wipe(int cells) {
        pen(Style.PLAIN);
        csi(cells, 'X');
    }

    /** Saves the cursor where it is. */
    void save(SavedCursor saved) {
        if (saved.style() < 0) {
            link(ANY);
        }
        pen(Style.unlinked(saved.style()));
        designate(0, saved.charset(), Charset.ASCII);
        out.append("\u001b7");
        designate(0, Charset.ASCII, saved.charset());
        pen(Style.PLAIN);
        link(null);
    }

    /** Restores the saved cursor with its style. */
    void restore(SavedCursor saved) {
        out.append("\u001b8");
        pen = Style.unlinked(saved.style());
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
