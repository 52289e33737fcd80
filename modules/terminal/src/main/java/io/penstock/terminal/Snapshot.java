package io.penstock.terminal;

import io.penstock.terminal.grid.CharWidth;
import io.penstock.terminal.grid.Grid;
import io.penstock.terminal.grid.Line;
import io.penstock.terminal.grid.Style;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes the state of a terminal as a value of limited size: the screen first, then the newest lines of the scrollback. */
final class Snapshot {

    private final Links links;
    private int linkCharsLeft = TerminalLimits.LINK_TEXT_CHARS;

    private Snapshot(Links links) {
        this.links = links;
    }

    static ScreenState of(Emulator terminal, byte[] pending) {
        hangBehindText(terminal);
        return new Snapshot(terminal.links).take(terminal, pending);
    }

    private ScreenState take(Emulator terminal, byte[] pending) {
        Grid grid = terminal.grid;
        Grid main = terminal.main;
        ScreenPage alternate = grid == main ? null : page(grid);
        ScreenPage page = page(main);
        return new ScreenState(
                grid.rows(),
                grid.cols(),
                history(main),
                page,
                alternate,
                grid == main ? terminal.savedOnAlternate : grid.saved,
                grid.x,
                grid.y,
                Style.unlinked(terminal.pen),
                terminal.link == 0 ? null : terminal.links.of(terminal.link),
                isRewritable(terminal),
                terminal.modes.on(),
                terminal.modes.mouse(),
                terminal.modes.mouseEncoding(),
                terminal.modes.cursorShape(),
                terminal.charsets.designated(),
                terminal.charsets.level(),
                terminal.charsets.inUse(),
                terminal.title,
                new String(pending, StandardCharsets.ISO_8859_1));
    }

    /** Only a cursor that wrote the last column, or whose whole line was erased since, can be behind it: make that true. */
    private static void hangBehindText(Emulator terminal) {
        Grid grid = terminal.grid;
        int last = grid.cols() - 1;
        if (grid.x > last
                && grid.line().glyph(last) == Line.BLANK
                && !new Snapshot(terminal.links).line(grid.line()).isErased(grid.cols())) {
            grid.line().write(last, ' ', 1, Style.backgroundOnly(grid.line().style(last)), 0, grid.cols());
        }
    }

    /** Whether a character was written last, and writing it again would not change it. */
    static boolean isRewritable(Emulator terminal) {
        Grid grid = terminal.grid;
        int at = terminal.lastColumn();
        return terminal.lastCells() > 0
                && at == grid.x - terminal.lastCells()
                && at >= 0
                && grid.line().glyph(at) > 0
                && grid.line().glyph(grid.x) != Line.REST
                && grid.line().style(at) == terminal.pen
                && grid.line().link(at) == terminal.link;
    }

    private List<ScreenLine> history(Grid grid) {
        var newestFirst = new ArrayList<ScreenLine>();
        long left = TerminalLimits.HISTORY_BYTES;
        for (Line each : grid.history().reversed()) {
            ScreenLine line = line(each);
            left -= line.bytes();
            if (left < 0) {
                break;
            }
            newestFirst.add(line);
        }
        return newestFirst.reversed();
    }

    private ScreenPage page(Grid grid) {
        var lines = new ArrayList<ScreenLine>(grid.rows());
        for (int row = 0; row < grid.rows(); row++) {
            lines.add(line(grid.line(row)));
        }
        return new ScreenPage(lines, grid.top, grid.bottom, grid.y, grid.saved, grid.tabs.custom(grid.cols()));
    }

    private ScreenLine line(Line line) {
        boolean wrapped = line.isWrapped();
        if (line.length() == 0) {
            return wrapped ? new ScreenLine(true, List.of()) : ScreenLine.EMPTY;
        }
        var runs = new ArrayList<ScreenCells>();
        var text = new StringBuilder();
        int from = 0;
        for (int at = 0; at < line.length(); at++) {
            if (at > from && !sameRun(line, from, at)) {
                runs.add(run(text, at - from, line, from));
                text.setLength(0);
                from = at;
            }
            if (line.glyph(at) > 0) {
                text.appendCodePoint(line.glyph(at));
                String marks = line.marks(at);
                if (marks != null) {
                    text.append(marks);
                }
            }
        }
        if (!text.isEmpty() || line.style(from) != Style.PLAIN) {
            runs.add(run(text, line.length() - from, line, from));
        }
        return new ScreenLine(wrapped, runs);
    }

    private ScreenCells run(StringBuilder text, int cells, Line line, int at) {
        return new ScreenCells(text.toString(), cells, Style.unlinked(line.style(at)), link(line.link(at)));
    }

    private @Nullable Link link(int number) {
        if (number == 0) {
            return null;
        }
        Link link = links.of(number);
        int chars = link.uri().length() + link.id().length();
        if (chars > linkCharsLeft) {
            return null;
        }
        linkCharsLeft -= chars;
        return link;
    }

    private static boolean sameRun(Line line, int from, int at) {
        return line.glyph(at) == Line.REST
                || (line.glyph(from) == Line.BLANK) == (line.glyph(at) == Line.BLANK)
                        && line.style(from) == line.style(at)
                        && line.link(from) == line.link(at)
                        && !isMark(line.glyph(from))
                        && !isMark(line.glyph(at));
    }

    /** A mark with a cell of its own is a separate run: in a run it would combine with the character before it. */
    private static boolean isMark(int glyph) {
        return glyph > 0xff && CharWidth.of(glyph) == 0;
    }
}
