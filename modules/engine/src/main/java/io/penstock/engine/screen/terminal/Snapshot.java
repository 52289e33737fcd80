package io.penstock.engine.screen.terminal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Takes the state of a terminal as a value. */
final class Snapshot {

    private Snapshot() {}

    static ScreenState of(Emulator terminal, byte[] pending, boolean written) {
        Grid grid = terminal.grid;
        Grid main = terminal.main;
        hangBehindText(grid);
        var history = new ArrayList<ScreenLine>();
        for (Line line : main.history()) {
            history.add(line(line, history.isEmpty()));
        }
        return new ScreenState(
                grid.rows(),
                grid.cols(),
                history,
                page(main, history.isEmpty()),
                grid == main ? null : page(grid, true),
                grid.x,
                grid.y,
                terminal.pen,
                written && canBeWrittenAgain(terminal),
                terminal.modes.on(),
                terminal.modes.mouse(),
                terminal.modes.mouseEncoding(),
                terminal.modes.cursorShape(),
                new String(terminal.charsets),
                terminal.charset,
                terminal.tabs.unusual(grid.cols()),
                terminal.title,
                new String(pending, StandardCharsets.ISO_8859_1));
    }

    /** Behind the last column there can only be a cursor that has written there; what was erased since then is a space. */
    private static void hangBehindText(Grid grid) {
        int last = grid.cols() - 1;
        if (grid.x > last && grid.line().glyph(last) == Line.BLANK) {
            grid.line().write(last, ' ', 1, Style.backgroundOnly(grid.line().style(last)), grid.cols());
        }
    }

    /** Only what looks the same when it is written once more. */
    private static boolean canBeWrittenAgain(Emulator terminal) {
        int at = terminal.writtenAt();
        return at >= 0
                && terminal.grid.line().glyph(at) > 0
                && terminal.grid.line().style(at) == terminal.pen;
    }

    private static ScreenPage page(Grid grid, boolean fromTheBeginning) {
        var lines = new ArrayList<ScreenLine>(grid.rows());
        for (int row = 0; row < grid.rows(); row++) {
            lines.add(line(grid.line(row), fromTheBeginning && row == 0));
        }
        return new ScreenPage(lines, grid.top, grid.bottom, grid.y, grid.saved);
    }

    private static ScreenLine line(Line line, boolean first) {
        boolean wrapped = line.isWrapped() && !first;
        if (line.length() == 0) {
            return wrapped ? new ScreenLine(true, List.of()) : ScreenLine.EMPTY;
        }
        var runs = new ArrayList<ScreenCells>();
        var text = new StringBuilder();
        int from = 0;
        for (int at = 0; at < line.length(); at++) {
            if (at > from && !sameRun(line, from, at)) {
                runs.add(new ScreenCells(text.toString(), at - from, style(line, from)));
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
        if (!text.isEmpty() || style(line, from) != Style.PLAIN) {
            runs.add(new ScreenCells(text.toString(), line.length() - from, style(line, from)));
        }
        return new ScreenLine(wrapped, runs);
    }

    private static boolean sameRun(Line line, int from, int at) {
        return line.glyph(at) == Line.REST
                || (line.glyph(from) == Line.BLANK) == (line.glyph(at) == Line.BLANK)
                        && style(line, from) == style(line, at)
                        && !isMark(line.glyph(from))
                        && !isMark(line.glyph(at));
    }

    /** One with a cell of its own is a run of its own: behind a character it would be that one's. */
    private static boolean isMark(int glyph) {
        return glyph > 0xff && CharWidth.of(glyph) == 0;
    }

    private static long style(Line line, int at) {
        return line.glyph(at) == Line.BLANK ? Style.backgroundOnly(line.style(at)) : line.style(at);
    }
}
