package io.penstock.engine.screen.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The lines of a screen while it gets another size, those above it included. It follows xterm.js line by line, also where that
 * loses what is below the cursor, since a screen that was made again has to be the one that people have before them.
 */
final class Resizing {

    /** All lines, those above the screen first. */
    final ArrayList<Line> lines;

    /** How many of them are above the screen. */
    int above;

    /** The cursor's line, counted from the top of the screen. */
    int y;

    /** The line of the cursor that was saved, counted from the first of all lines. */
    int savedLine;

    private final int most;

    /** @param most lines that there may be */
    Resizing(ArrayList<Line> lines, int above, int y, int savedLine, int most) {
        this.lines = lines;
        this.above = above;
        this.y = y;
        this.savedLine = savedLine;
        this.most = most;
    }

    void rows(int before, int now) {
        for (int row = before; row < now; row++) {
            if (above > 0 && lines.size() <= above + y + 1) {
                // One comes back from above.
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
        int beyond = now < before ? lines.size() - most : 0;
        if (beyond > 0) {
            lines.subList(0, beyond).clear();
            above = Math.max(0, above - beyond);
            savedLine = Math.max(0, savedLine - beyond);
        }
    }

    /** Lines that are too long, or were, are laid out anew; not those with the cursor, which the program will see to. */
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
        // By the line that they come in front of.
        var added = new TreeMap<Integer, List<Line>>();
        int count = 0;
        // Also those that have given way by then.
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
                // Of nothing, xterm.js counts a line less, and changes nothing else.
                savedLine = Math.min(savedLine - together.size(), above + rows - 1);
                continue;
            }
            List<Line> laidOut = split(joined, now);
            int more = laidOut.size() - together.size();
            laidOut.getFirst().wrapped(together.getFirst().isWrapped());
            for (int i = 0; i < together.size(); i++) {
                leaveBehind(together.get(i), laidOut.get(i), now);
                if (at + i < lines.size()) {
                    lines.set(at + i, laidOut.get(i));
                }
            }
            int leaving = (above == 0 && y != lines.size() - 1 ? y : lines.size()) - most + more;
            if (more > 0) {
                added.put(end, List.copyOf(laidOut.subList(together.size(), laidOut.size())));
                count += more;
            }
            makeRoom(more - Math.max(0, leaving), rows, count);
            savedLine = Math.min(savedLine + more, above + rows - 1);
        }
        insert(added);
    }

    /** What stood farther to the right than the text reaches now stays there, but for a cell between. */
    private static void leaveBehind(Line before, Line now, int cols) {
        int from = now.length() + 1;
        int to = Math.min(before.length(), cols);
        if (from < to) {
            now.pad(1);
            now.add(before, from, to, cols);
        }
    }

    /** What is below the cursor gives way to what is laid out above it, or all moves up. */
    private void makeRoom(int wanted, int rows, int count) {
        for (int i = 0; i < wanted; i++) {
            if (above == 0 && y < rows - 1) {
                y++;
                lines.removeLast();
            } else if (above == 0 || above < Math.min(most, lines.size() + count) - rows) {
                above++;
            }
        }
    }

    private void insert(TreeMap<Integer, List<Line>> added) {
        int left = lines.size();
        for (Map.Entry<Integer, List<Line>> each : added.descendingMap().entrySet()) {
            // Those behind lines that had to give way come where the last of them was, in their order.
            lines.addAll(Math.min(each.getKey(), left), each.getValue());
        }
        if (lines.size() > most) {
            lines.subList(0, lines.size() - most).clear();
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
            // In one column there is no room for a wide character: nothing of it stays.
            line.mend(0, Style.PLAIN, 0, cols);
            line.mend(line.length(), Style.PLAIN, 0, cols);
            lines.add(line);
            from = to;
        } while (from < joined.length());
        return lines;
    }
}
