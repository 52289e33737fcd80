package io.penstock.engine.screen.terminal;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A screen as what a program would have to write for it: given to a new terminal of the same size, it makes the same screen, and
 * what comes next has the same effect. For a terminal that has shown something else, a reset ({@code ESC c}) goes in front.
 */
public final class AnsiScreen {

    private static final String CSI = "\u001b[";

    private final ScreenState screen;
    private final StringBuilder out = new StringBuilder();
    private long pen = Style.PLAIN;

    private AnsiScreen(ScreenState screen) {
        this.screen = screen;
    }

    public static byte[] of(ScreenState screen) {
        byte[] written = new AnsiScreen(screen).write().getBytes(StandardCharsets.UTF_8);
        byte[] pending = screen.pending().getBytes(StandardCharsets.ISO_8859_1);
        byte[] all = Arrays.copyOf(written, written.length + pending.length);
        System.arraycopy(pending, 0, all, written.length, pending.length);
        return all;
    }

    private String write() {
        if (!screen.title().isEmpty()) {
            out.append("\u001b]2;").append(screen.title()).append("\u0007");
        }
        tabs();
        lines(screen.history());
        if (!screen.history().isEmpty()) {
            next(screen.history().getLast(), screen.main().lines().getFirst());
        }
        page(screen.main());
        ScreenPage alternate = screen.alternate();
        if (alternate != null) {
            pen(Style.PLAIN);
            moveTo(0, screen.main().y());
            out.append(CSI).append("?1047h").append(CSI).append('H');
            page(alternate);
        }
        modes();
        cursor();
        return out.toString();
    }

    private void tabs() {
        List<Integer> tabs = screen.tabs();
        if (tabs != null) {
            out.append(CSI).append("3g");
            for (int tab : tabs) {
                out.append(CSI).append(tab + 1).append("G\u001bH");
            }
            out.append('\r');
        }
    }

    private void page(ScreenPage page) {
        lines(page.lines());
        if (!page.saved().equals(SavedCursor.HOME)) {
            SavedCursor saved = page.saved();
            moveTo(saved.x(), saved.y());
            pen(saved.style());
            designate(0, saved.charset());
            out.append("\u001b7");
            designate(0, Charset.ASCII, saved.charset());
        }
        pen(Style.PLAIN);
        if (!page.scrollsAll()) {
            out.append(CSI)
                    .append(page.top() + 1)
                    .append(';')
                    .append(page.bottom() + 1)
                    .append('r');
        }
    }

    private void lines(List<ScreenLine> lines) {
        for (int i = 0; i < lines.size(); i++) {
            line(lines.get(i));
            if (i + 1 < lines.size()) {
                next(lines.get(i), lines.get(i + 1));
            }
        }
    }

    private void line(ScreenLine line) {
        for (ScreenCells run : line.cells()) {
            pen(run.style());
            if (run.isMark()) {
                // So that it does not go onto the character in front.
                Sgr.append(out, pen);
            }
            if (!run.isBlank()) {
                out.append(run.text());
                continue;
            }
            if (run.style() != Style.PLAIN) {
                out.append(CSI).append(run.cells()).append('X');
            }
            out.append(CSI).append(run.cells()).append('C');
        }
    }

    /** To the line below; a line that goes on with this one is reached by writing over its end, which is then wiped out. */
    private void next(ScreenLine line, ScreenLine next) {
        if (!next.wrapped()) {
            pen(Style.PLAIN);
            out.append("\r\n");
            return;
        }
        int cells = line.cells().stream().mapToInt(ScreenCells::cells).sum();
        boolean full = cells == screen.cols() && !line.cells().getLast().isBlank();
        if (!full) {
            pen(Style.PLAIN);
            out.append(CSI).append(screen.cols()).append("G ");
        }
        pen(Style.PLAIN);
        out.append(' ');
        if (!full) {
            out.append(CSI).append('A').append(CSI).append(screen.cols()).append('G');
            pen(cells == screen.cols() ? line.cells().getLast().style() : Style.PLAIN);
            out.append(CSI).append("X").append(CSI).append('B');
            pen(Style.PLAIN);
        }
        out.append('\r').append(CSI).append('X');
    }

    private void modes() {
        for (Mode mode : Mode.values()) {
            boolean on = screen.modes().contains(mode);
            if (mode != Mode.INSERT && (on != mode.isUsual() || mode.outlivesReset())) {
                out.append(mode.sequence(on));
            }
        }
        if (screen.mouse() != Mouse.NONE) {
            out.append(CSI).append('?').append(screen.mouse().mode()).append('h');
        }
        if (screen.mouseEncoding() != 0) {
            out.append(CSI).append('?').append(screen.mouseEncoding()).append('h');
        }
        if (screen.cursorShape() != 0) {
            out.append(CSI).append(screen.cursorShape()).append(" q");
        }
    }

    /** Last of all, since writing a character is the only way behind the last column, and to where a mark may follow. */
    private void cursor() {
        boolean inserts = screen.modes().contains(Mode.INSERT);
        if (screen.afterCharacter()) {
            charsets();
            if (inserts) {
                out.append(Mode.INSERT.sequence(true));
            }
            pen(screen.pen());
            writeLast(inserts);
            return;
        }
        if (screen.x() == screen.cols()) {
            writeLast(false);
        } else {
            place(screen.x());
        }
        charsets();
        // Also where nothing changes by it: so the character is not the last thing that was done.
        Sgr.append(out, screen.pen());
        if (inserts) {
            out.append(Mode.INSERT.sequence(true));
        }
    }

    /** @param inserted whether it makes room for itself, which is taken away first */
    private void writeLast(boolean inserted) {
        ScreenLine line = screen.shown().lines().get(screen.y());
        LastCharacter last = LastCharacter.before(screen.x(), line);
        place(screen.x() - last.cells());
        pen(last.style());
        if (inserted) {
            out.append(CSI).append(last.cells()).append('P');
        }
        out.append(last.text());
    }

    /** Puts the cursor into its row. */
    private void place(int x) {
        ScreenPage page = screen.shown();
        int y = screen.y();
        if (!screen.modes().contains(Mode.ORIGIN)) {
            moveTo(x, y);
        } else if (y >= page.top() && y <= page.bottom()) {
            moveTo(x, y - page.top());
        } else {
            // Outside of the region there is only one way then: to come from the other screen.
            out.append(CSI).append("?1047h");
            moveTo(x, y);
            out.append(CSI).append("?1047l");
        }
    }

    private void charsets() {
        for (int i = 0; i < screen.charsets().length(); i++) {
            designate(i, screen.charsets().charAt(i));
        }
        switch (screen.charset()) {
            case 1 -> out.append('\u000e');
            case 2 -> out.append("\u001bn");
            case 3 -> out.append("\u001bo");
            default -> {}
        }
    }

    private void designate(int which, char charset) {
        designate(which, charset, Charset.ASCII);
    }

    private void designate(int which, char charset, char before) {
        if (charset != before) {
            out.append('\u001b').append((char) ('(' + which)).append(charset);
        }
    }

    private void moveTo(int x, int y) {
        out.append(CSI).append(y + 1).append(';').append(x + 1).append('H');
    }

    private void pen(long style) {
        if (style != pen) {
            pen = style;
            Sgr.append(out, style);
        }
    }

    /** The character before a place, with its marks. */
    private record LastCharacter(String text, int cells, long style) {

        static LastCharacter before(int x, ScreenLine line) {
            int at = 0;
            for (ScreenCells run : line.cells()) {
                if (at + run.cells() >= x) {
                    return in(run, x - at);
                }
                at += run.cells();
            }
            return new LastCharacter(" ", 1, Style.PLAIN);
        }

        private static LastCharacter in(ScreenCells run, int cells) {
            if (run.isBlank()) {
                return new LastCharacter(" ", 1, run.style());
            }
            String text = run.text();
            int from = 0;
            int width = 1;
            int reached = 0;
            int at = 0;
            while (at < text.length()) {
                int character = text.codePointAt(at);
                int here = CharWidth.of(character);
                if (here > 0) {
                    if (reached == cells) {
                        break;
                    }
                    from = at;
                    width = here;
                    reached += here;
                }
                at += Character.charCount(character);
            }
            return new LastCharacter(text.substring(from, at), width, run.style());
        }
    }
}
