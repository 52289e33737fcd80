package io.penstock.engine.screen.terminal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A screen as what a program would have to write for it: given to a new terminal of the same size, it makes the same screen, and
 * what comes next has the same effect. For a terminal that has shown something else, a reset ({@code ESC c}) goes in front.
 */
public final class AnsiScreen {

    private final ScreenState screen;
    private final AnsiOut out = new AnsiOut();

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
            out.text("\u001b]2;" + screen.title() + "\u0007");
        }
        ScreenPage main = screen.main();
        ScreenPage alternate = screen.alternate();
        if (alternate == null && !screen.savedOnAlternate().equals(SavedCursor.HOME)) {
            savedOnAlternate();
        }
        var lines = new ArrayList<ScreenLine>(screen.history());
        lines.addAll(main.lines());
        page(main, lines, screen.history().size());
        if (alternate != null) {
            out.moveTo(0, main.y());
            out.mode(1047, true);
            out.csi('H');
            page(alternate, alternate.lines(), 0);
        }
        modes();
        cursor();
        return out.toString();
    }

    private void savedOnAlternate() {
        SavedCursor saved = screen.savedOnAlternate();
        out.mode(1047, true);
        out.moveTo(saved.x(), saved.y());
        if (saved.x() >= screen.cols()) {
            out.control(' ');
        }
        out.save(saved);
        out.mode(1047, false);
        out.csi('H');
    }

    private void page(ScreenPage page, List<ScreenLine> lines, int above) {
        tabs(page);
        int savedAt = Math.max(0, above + page.saved().y());
        new AnsiLines(out, screen.rows(), screen.cols()).write(lines, page.saved(), savedAt);
        if (!page.scrollsAll()) {
            out.csi(page.top() + 1, page.bottom() + 1, 'r');
        }
    }

    private void tabs(ScreenPage page) {
        List<Integer> tabs = page.tabs();
        if (tabs != null) {
            out.csi(3, 'g');
            for (int tab : tabs) {
                out.column(tab);
                out.text(tab < screen.cols() ? "\u001bH" : " \u001bH");
            }
            out.control('\r');
            out.csi('K');
        }
    }

    private void modes() {
        for (Mode mode : Mode.values()) {
            boolean on = screen.modes().contains(mode);
            if (mode != Mode.INSERT && (on != mode.isUsual() || mode.outlivesReset())) {
                out.text(mode.sequence(on));
            }
        }
        if (screen.mouse() != Mouse.NONE) {
            out.mode(screen.mouse().mode(), true);
        }
        if (screen.mouseEncoding() != 0) {
            out.mode(screen.mouseEncoding(), true);
        }
        if (screen.cursorShape() != 0) {
            out.csi(screen.cursorShape(), ' ');
            out.control('q');
        }
    }

    /** Last of all, since writing a character is the only way behind the last column, and to where a mark may follow. */
    private void cursor() {
        boolean inserts = screen.modes().contains(Mode.INSERT);
        if (screen.afterCharacter()) {
            charsets();
            if (inserts) {
                out.text(Mode.INSERT.sequence(true));
            }
            out.pen(screen.pen());
            writeLast(inserts);
            return;
        }
        // What brings one back that was restored moves the cursor; all others would change what is written here.
        boolean early = isCharsetRestored();
        if (early) {
            charsets();
        }
        if (screen.x() == screen.cols()) {
            hang();
        } else {
            place(screen.x());
        }
        if (!early) {
            charsets();
        }
        out.link(screen.link());
        // Also where nothing changes by it: so the character is not the last thing that was done.
        out.penAnew(screen.pen());
        if (inserts) {
            out.text(Mode.INSERT.sequence(true));
        }
    }

    private void hang() {
        ScreenLine line = screen.shown().lines().get(screen.y());
        if (!line.isErased(screen.cols())) {
            writeLast(false);
            return;
        }
        place(screen.cols() - 1);
        out.pen(Style.PLAIN);
        out.control(' ');
        out.pen(line.cells().isEmpty() ? Style.PLAIN : line.cells().getFirst().style());
        out.csi(1, 'K');
    }

    /** @param inserted whether it makes room for itself, which is taken away first */
    private void writeLast(boolean inserted) {
        ScreenLine line = screen.shown().lines().get(screen.y());
        LastCharacter last = LastCharacter.before(screen.x(), line);
        place(screen.x() - last.cells());
        out.pen(last.style());
        if (inserted) {
            out.csi(last.cells(), 'P');
        }
        out.link(last.link());
        out.text(last.text());
    }

    private boolean isCharsetRestored() {
        return screen.charsetInUse() != screen.charsets().charAt(screen.charset());
    }

    private void charsets() {
        for (int i = 0; i < screen.charsets().length(); i++) {
            out.designate(i, screen.charsets().charAt(i), Charset.ASCII);
        }
        switch (screen.charset()) {
            case 1 -> out.control('\u000e');
            case 2 -> out.text("\u001bn");
            case 3 -> out.text("\u001bo");
            default -> {}
        }
        if (isCharsetRestored()) {
            restoreCharset();
        }
    }

    /** With the cursor, which is put into its place afterwards. */
    private void restoreCharset() {
        SavedCursor saved = screen.shown().saved();
        if (saved.charset() == screen.charsetInUse() || screen.alternate() != null) {
            out.restore(saved);
        } else {
            out.mode(1047, true);
            out.restore(screen.savedOnAlternate());
            out.mode(1047, false);
        }
    }

    /** Puts the cursor into its row. */
    private void place(int x) {
        ScreenPage page = screen.shown();
        int y = screen.y();
        if (!screen.modes().contains(Mode.ORIGIN)) {
            out.moveTo(x, y);
        } else if (y >= page.top() && y <= page.bottom()) {
            out.moveTo(x, y - page.top());
        } else {
            // Outside of the region there is only one way then: to come from the other screen.
            out.mode(1047, true);
            out.moveTo(x, y);
            out.mode(1047, false);
        }
    }
}
