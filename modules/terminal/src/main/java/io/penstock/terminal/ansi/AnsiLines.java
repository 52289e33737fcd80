package io.penstock.terminal.ansi;

import io.penstock.terminal.ScreenCells;
import io.penstock.terminal.ScreenLine;
import io.penstock.terminal.grid.SavedCursor;
import io.penstock.terminal.grid.Style;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes lines one below the other, from the top of an empty screen, and saves the cursor where it has to be saved. */
final class AnsiLines {

    /** A character of two cells: overwriting one half leaves the other half blank in the character's style. */
    private static final char WIDE = '\u3000';

    private final AnsiOut out;
    private final int rows;
    private final int cols;

    AnsiLines(AnsiOut out, int rows, int cols) {
        this.out = out;
        this.rows = rows;
        this.cols = cols;
    }

    /** @param savedAt the index of the line in which the cursor was saved; may be below the last line */
    void write(List<ScreenLine> lines, SavedCursor saved, int savedAt) {
        if (savedAt >= lines.size()) {
            saveBelow(saved, savedAt);
        }
        if (lines.getFirst().wrapped()) {
            startWrapped();
        }
        for (int i = 0; i < lines.size(); i++) {
            if (i == savedAt && !(i == 0 && saved.onRow(0).equals(SavedCursor.HOME))) {
                save(saved);
            }
            ScreenLine line = lines.get(i);
            boolean goesOn = i + 1 < lines.size() && lines.get(i + 1).wrapped();
            boolean ahead = goesOn && !line.endsInText(cols);
            if (ahead) {
                wrapAhead();
            }
            line(line);
            out.pen(Style.PLAIN);
            if (ahead) {
                out.csi('B');
                out.control('\r');
            } else if (goesOn) {
                out.text(" \r");
                out.csi('X');
            } else if (i + 1 < lines.size()) {
                out.text("\r\n");
            }
        }
    }

    /** The current line is empty. */
    private void save(SavedCursor saved) {
        if (saved.x() < cols) {
            out.column(saved.x());
            out.save(saved);
        } else {
            moveBehindLast(' ');
            out.save(saved);
            out.column(cols - 1);
            out.wipe(1);
        }
        out.control('\r');
    }

    /** Moves the cursor behind the last column. */
    private void moveBehindLast(char with) {
        out.column(cols - 1);
        out.control(with);
    }

    /** Saves the cursor in a line below all others; erasing the scrollback then moves the saved place to its row. */
    private void saveBelow(SavedCursor saved, int line) {
        out.text("\n".repeat(line));
        save(saved);
        out.csi(3, 'J');
        out.csi('H');
    }

    /** Marks the first line as the continuation of a line that was dropped. */
    private void startWrapped() {
        moveBehindLast(' ');
        out.control(' ');
        if (rows > 1) {
            out.csi('H');
            out.csi('M');
        } else {
            out.csi(3, 'J');
        }
        out.control('\r');
        out.csi('X');
    }

    private void line(ScreenLine line) {
        boolean written = styledBlanks(line);
        for (ScreenCells run : line.cells()) {
            if (!run.isBlank()) {
                out.pen(run.style());
                if (run.isMark()) {
                    // The sequence keeps the mark from combining with the character in front of it.
                    out.rewritePen(run.style());
                }
                out.link(run.link());
                out.text(run.text());
                continue;
            }
            out.link(null);
            if (!run.isStyledBlank() && (written || run.style() != Style.PLAIN)) {
                out.pen(run.style());
                out.csi(run.cells(), 'X');
            }
            out.csi(run.cells(), 'C');
        }
        out.link(null);
        int end = line.length();
        if (written && end < cols) {
            out.wipe(cols - end);
        }
    }

    /** Makes each styled blank by overwriting the second half of a wide character; from the left, as each spills to its right. */
    private boolean styledBlanks(ScreenLine line) {
        var wanted = new @Nullable ScreenCells[cols];
        boolean any = false;
        int x = 0;
        for (ScreenCells run : line.cells()) {
            if (run.isStyledBlank()) {
                Arrays.fill(wanted, x, x + run.cells(), run);
                any = true;
            }
            x += run.cells();
        }
        if (!any) {
            return false;
        }
        boolean last = wanted[cols - 1] != null;
        if (last) {
            // The last cell has no room for a second half: write all one cell further left, then insert a cell.
            for (int at = 1; at < cols; at++) {
                half(at - 1, wanted[at]);
            }
            out.control('\r');
            out.pen(Style.PLAIN);
            out.csi('@');
        }
        for (int at = 0; at < cols && (wanted[at] != null || !last); at++) {
            half(at, wanted[at]);
        }
        out.control('\r');
        return true;
    }

    private void half(int at, @Nullable ScreenCells as) {
        if (as != null) {
            out.column(at);
            out.pen(as.style());
            out.link(as.link());
            out.control(WIDE);
            out.column(at + 1);
            out.control(' ');
            out.link(null);
        }
    }

    /** Marks the line below as the continuation of this empty one, by writing past the end of this one. */
    private void wrapAhead() {
        moveBehindLast(' ');
        out.control(' ');
        out.control('\r');
        out.csi('X');
        out.csi('A');
        out.column(cols - 1);
        out.csi('X');
        out.control('\r');
    }
}
