package io.penstock.engine.screen.terminal;

import java.util.ArrayList;
import java.util.List;

/** Lays lines out anew for another width: those that go on with each other are one long line. */
final class Reflow {

    private Reflow() {}

    /**
     * Changes the lines.
     *
     * @param cursor the line that it is on; the program will see to that one, and it stays as it is
     * @return where the cursor's line is now
     */
    static int layOut(ArrayList<Line> lines, int cursor, int oldCols, int newCols) {
        var laidOut = new ArrayList<Line>(lines.size());
        int newCursor = cursor;
        int at = 0;
        while (at < lines.size()) {
            int end = at + 1;
            while (end < lines.size() && lines.get(end).isWrapped()) {
                end++;
            }
            List<Line> together = lines.subList(at, end);
            boolean hasCursor = cursor >= at && cursor < end;
            if (hasCursor) {
                newCursor = laidOut.size() + cursor - at;
            }
            if (hasCursor || (end - at == 1 && lines.get(at).textLength() <= newCols)) {
                laidOut.addAll(together);
            } else {
                split(joined(together, oldCols), newCols, laidOut);
            }
            at = end;
        }
        lines.clear();
        lines.addAll(laidOut);
        return newCursor;
    }

    private static Line joined(List<Line> together, int cols) {
        var joined = new Line();
        for (int i = 0; i < together.size(); i++) {
            Line line = together.get(i);
            boolean last = i == together.size() - 1;
            int length = last ? line.textLength() : line.length();
            joined.add(line, 0, length, Integer.MAX_VALUE);
            // The cell that was left free since the wide character behind it did not fit is no part of the text.
            boolean early = !last
                    && line.glyph(cols - 1) == Line.BLANK
                    && together.get(i + 1).isWide(0);
            if (early && length == cols) {
                joined.cut(joined.length() - 1);
            } else if (!last && !early && length < cols) {
                joined.pad(cols - length);
            } else if (early && length < cols - 1) {
                joined.pad(cols - 1 - length);
            }
        }
        return joined;
    }

    private static void split(Line joined, int cols, List<Line> into) {
        int from = 0;
        do {
            int to = Math.min(joined.length(), from + cols);
            if (to < joined.length() && joined.isWide(to - 1) && to - 1 > from) {
                to--;
            }
            var line = new Line();
            line.add(joined, from, to, cols);
            line.wrapped(from > 0);
            // In one column there is no room for a wide character: nothing of it stays.
            line.mend(0, Style.PLAIN, cols);
            line.mend(line.length(), Style.PLAIN, cols);
            into.add(line);
            from = to;
        } while (from < joined.length());
    }
}
