package io.penstock.engine.screen.terminal;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes lines one below the other, from the top of an empty screen on, and saves the cursor on its way. */
final class AnsiLines {

    /** A character of two cells; the half that is left of one keeps how it looked, and is nothing. */
    private static final char WIDE = '\u3000';

    private final AnsiOut out;
    private final int rows;
    private final int cols;

    AnsiLines(AnsiOut out, int rows, int cols) {
        this.out = out;
        this.rows = rows;
        this.cols = cols;
    }

    /** @param savedAt the line in which the cursor was saved; there may be none such, if it is below all of them */
    void write(List<ScreenLine> lines, SavedCursor saved, int savedAt) {
        if (savedAt >= lines.size()) {
            saveBelow(saved, savedAt);
        }
        if (lines.getFirst().wrapped()) {
            beginWrapped();
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

    /** In an empty line. */
    private void save(SavedCursor saved) {
        if (saved.x() < cols) {
            out.column(saved.x());
            out.save(saved);
        } else {
            hang(' ');
            out.save(saved);
            out.column(cols - 1);
            out.wipe(1);
        }
        out.control('\r');
    }

    /** Brings it behind the last column. */
    private void hang(char with) {
        out.column(cols - 1);
        out.control(with);
    }

    /** Where it is once what was above it is erased. */
    private void saveBelow(SavedCursor saved, int line) {
        out.text("\n".repeat(line));
        save(saved);
        out.csi(3, 'J');
        out.csi('H');
    }

    /** The first line goes on with one that is not there any more. */
    private void beginWrapped() {
        hang(' ');
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
                    // So that it does not go onto the character in front.
                    out.penAnew(run.style());
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

    /** Each is what is left of a wide character when its second half is written over; from the left, since what is over it goes. */
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
            // There is no room behind it: all are made a cell further to the left, and moved.
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

    /** The line below is made to go on with this empty one, by writing over its end. */
    private void wrapAhead() {
        hang(' ');
        out.control(' ');
        out.control('\r');
        out.csi('X');
        out.csi('A');
        out.column(cols - 1);
        out.csi('X');
        out.control('\r');
    }
}
