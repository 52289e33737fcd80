package io.penstock.terminal.ansi;

import io.penstock.terminal.Mode;
import io.penstock.terminal.Mouse;
import io.penstock.terminal.ScreenLine;
import io.penstock.terminal.ScreenPage;
import io.penstock.terminal.ScreenState;
import io.penstock.terminal.grid.Charset;
import io.penstock.terminal.grid.SavedCursor;
import io.penstock.terminal.grid.Style;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A screen as escape sequences: written to a new terminal of the same size, they draw the same screen, and later output has the
 * same effect. A terminal that has shown something else needs a reset ({@code ESC c}) first.
 */
public final class AnsiScreen {

    /** Writing a screen takes several times its size in memory, so screens from this size on are written one at a time. */
    private static final long LARGE_BYTES = 4L * 1024 * 1024;

    private static final ReentrantLock LARGE = new ReentrantLock();

    private final ScreenState screen;
    private final AnsiOut out = new AnsiOut();

    private AnsiScreen(ScreenState screen) {
        this.screen = screen;
    }

    public static byte[] of(ScreenState screen) {
        return of("", screen);
    }

    /** @param before text to write in front of the screen */
    public static byte[] of(String before, ScreenState screen) {
        if (screen.bytes() < LARGE_BYTES) {
            return bytes(before, screen);
        }
        LARGE.lock();
        try {
            return bytes(before, screen);
        } finally {
            LARGE.unlock();
        }
    }

    private static byte[] bytes(String before, ScreenState screen) {
        byte[] written = (before + new AnsiScreen(screen).write()).getBytes(StandardCharsets.UTF_8);
        if (screen.pending().isEmpty()) {
            return written;
        }
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
            if (mode != Mode.INSERT && (on != mode.isDefault() || mode.survivesReset())) {
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

    /** Comes last: only writing a character moves the cursor behind the last column or lets a combining mark follow. */
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
        // Restoring a saved charset moves the cursor, so it comes first. Other charsets would change the text written
        // here.
        boolean early = isCharsetRestored();
        if (early) {
            charsets();
        }
        if (screen.x() == screen.cols()) {
            hang();
        } else {
            moveInRow(screen.x());
        }
        if (!early) {
            charsets();
        }
        out.link(screen.link());
        // Even if the style does not change: a combining mark must not apply to the character before the cursor.
        out.rewritePen(screen.pen());
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
        moveInRow(screen.cols() - 1);
        out.pen(Style.PLAIN);
        out.control(' ');
        out.pen(line.cells().isEmpty() ? Style.PLAIN : line.cells().getFirst().style());
        out.csi(1, 'K');
    }

    /** @param inserted whether insert mode is on: the character's cells are deleted first, as it inserts its own */
    private void writeLast(boolean inserted) {
        ScreenLine line = screen.shown().lines().get(screen.y());
        LastCharacter last = LastCharacter.before(screen.x(), line);
        moveInRow(screen.x() - last.cells());
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

    /** Restores a saved cursor for its charset; the caller then moves the cursor to its place. */
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

    /** Moves the cursor to a column of its row. */
    private void moveInRow(int x) {
        ScreenPage page = screen.shown();
        int y = screen.y();
        if (!screen.modes().contains(Mode.ORIGIN)) {
            out.moveTo(x, y);
        } else if (y >= page.top() && y <= page.bottom()) {
            out.moveTo(x, y - page.top());
        } else {
            // In origin mode the cursor gets outside the region only by a move on the other screen.
            out.mode(1047, true);
            out.moveTo(x, y);
            out.mode(1047, false);
        }
    }
}
