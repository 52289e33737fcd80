package io.penstock.terminal.grid;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The lines of a screen and its scrollback during a resize. It follows xterm.js line by line, even where that loses the lines below
 * the cursor: a recomputed screen has to equal the one that a viewer sees.
 */
final class Resizing {

    /** All lines, the scrollback first. */
    final ArrayList<Line> lines;

    /** The number of lines in the scrollback. */
    int above;

    /** The cursor's line, counted from the top of the screen. */
    int y;

    /** The line of the saved cursor, counted from the first line of the scrollback. */
    int savedLine;

    /** Cells of reflowed lines. */
    long reflowedCells;

    private final int maxLines;

    /** @param most maximum number of lines of screen and scrollback */
    Resizing(ArrayList<Line> lines, int above, int y, int savedLine, int most) {
        this.lines = lines;
        this.above = above;
        this.y = y;
        this.savedLine = savedLine;
        this.maxLines = most;
    }

    void rows(int before, int now) {
        for (int row = before; row < now; row++) {
            if (above > 0 && lines.size() <= above + y + 1) {
                // A line of the scrollback returns to the screen.
                above--;
                y++;
            } else {
                lines.add(new Line());
            }
        }
        for (int row = before; row > now; row--) {
            if (lines.size() > above + y + 1) {
                lines.removeLast();
            } else {
                above++;
                y--;
            }
        }
        int beyond = now < before ? lines.size() - maxLines : 0;
        if (beyond > 0) {
            lines.subList(0, beyond).clear();
            above = Math.max(0, above - beyond);
            savedLine = Math.max(0, savedLine - beyond);
        }
    }

    /** Reflows the lines that are or were too long, except those with the cursor, which the program redraws. */
    void columns(int before, int now, int rows) {
        if (now > before) {
            widen(before, now);
        } else {
            narrow(before, now, rows);
        }
    }

    private void widen(int before, int now) {
        var kept = new ArrayList<Line>(lines.size());
        int end;
        for (int at = 0; at < lines.size(); at = end) {
            end = at + 1;
            while (end < lines.size() && lines.get(end).isWrapped()) {
                end++;
            }
            List<Line> together = lines.subList(at, end);
            if (end - at == 1 || hasCursor(at, end)) {
                kept.addAll(together);
                continue;
            }
            List<Line> laidOut = split(joined(together, before), now);
            reflowedCells += (long) laidOut.size() * (Work.NEW_LINE + now);
            while (laidOut.size() > 1 && laidOut.getLast().textLength() == 0) {
                laidOut.removeLast();
            }
            laidOut.getFirst().wrapped(together.getFirst().isWrapped());
            kept.addAll(laidOut);
        }
        int gone = lines.size() - kept.size();
        lines.clear();
        lines.addAll(kept);
        int fromAbove = Math.min(above, gone);
        above -= fromAbove;
        y = Math.max(0, y - (gone - fromAbove));
        savedLine = Math.max(0, savedLine - gone);
    }

    private void narrow(int before, int now, int rows) {
        // Keyed by the line that they are inserted before.
        var added = new TreeMap<Integer, List<Line>>();
        int count = 0;
        // Includes lines that are removed meanwhile.
        var all = new ArrayList<Line>(lines);
        int at;
        for (int end = all.size(); end > 0; end = at) {
            at = end - 1;
            while (at > 0 && all.get(at).isWrapped()) {
                at--;
            }
            List<Line> together = all.subList(at, end);
            boolean fits = end - at == 1
                    && !together.getFirst().isWrapped()
                    && together.getFirst().textLength() <= now;
            if (fits || hasCursor(at, end)) {
                continue;
            }
            Line joined = joined(together, before);
            if (joined.length() == 0) {
                // For empty lines xterm.js moves only the saved cursor.
                savedLine = Math.min(savedLine - together.size(), above + rows - 1);
                continue;
            }
            List<Line> laidOut = split(joined, now);
            reflowedCells += (long) laidOut.size() * (Work.NEW_LINE + now);
            int more = laidOut.size() - together.size();
            laidOut.getFirst().wrapped(together.getFirst().isWrapped());
            for (int i = 0; i < together.size(); i++) {
                keepRight(together.get(i), laidOut.get(i), now);
                if (at + i < lines.size()) {
                    lines.set(at + i, laidOut.get(i));
                }
            }
            int leaving = (above == 0 && y != lines.size() - 1 ? y : lines.size()) - maxLines + more;
            if (more > 0) {
                added.put(end, List.copyOf(laidOut.subList(together.size(), laidOut.size())));
                count += more;
            }
            makeRoom(more - Math.max(0, leaving), rows, count);
            savedLine = Math.min(savedLine + more, above + rows - 1);
        }
        insert(added);
    }

    /** Cells to the right of the shortened text stay, except for one cell between. */
    private static void keepRight(Line before, Line now, int cols) {
        int from = now.length() + 1;
        int to = Math.min(before.length(), cols);
        if (from < to) {
            now.pad(1);
            now.add(before, from, to, cols);
        }
    }

    /** Lines below the cursor are removed for those added above it, or all lines move up. */
    private void makeRoom(int wanted, int rows, int count) {
        for (int i = 0; i < wanted; i++) {
            if (above == 0 && y < rows - 1) {
                y++;
                lines.removeLast();
            } else if (above == 0 || above < Math.min(maxLines, lines.size() + count) - rows) {
                above++;
            }
        }
    }

    private void insert(TreeMap<Integer, List<Line>> added) {
        var kept = List.copyOf(lines);
        lines.clear();
        int next = 0;
        for (Map.Entry<Integer, List<Line>> each : added.entrySet()) {
            // Lines to insert behind removed ones go to the end of the kept ones, in order.
            int end = Math.min(each.getKey(), kept.size());
            lines.addAll(kept.subList(next, end));
            lines.addAll(each.getValue());
            next = end;
        }
        lines.addAll(kept.subList(next, kept.size()));
        if (lines.size() > maxLines) {
            lines.subList(0, lines.size() - maxLines).clear();
        }
    }

    private boolean hasCursor(int from, int to) {
        return above + y >= from && above + y < to;
    }

    private static Line joined(List<Line> together, int cols) {
        var joined = new Line();
        for (int i = 0; i < together.size(); i++) {
            Line line = together.get(i);
            boolean last = i == together.size() - 1;
            int length = last ? line.textLength() : line.length();
            joined.add(line, 0, length, Integer.MAX_VALUE);
            // A last cell left free because the next wide character did not fit is not part of the text.
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

    private static List<Line> split(Line joined, int cols) {
        var lines = new ArrayList<Line>();
        int from = 0;
        do {
            int to = Math.min(joined.length(), from + cols);
            if (to < joined.length() && joined.isWide(to - 1) && to - 1 > from) {
                to--;
            }
            var line = new Line();
            line.add(joined, from, to, cols);
            line.wrapped(from > 0);
            // A single column has no room for a wide character, so it is dropped.
            line.mend(0, Style.PLAIN, 0, cols);
            line.mend(line.length(), Style.PLAIN, 0, cols);
            lines.add(line);
            from = to;
        } while (from < joined.length());
        return lines;
    }
}
