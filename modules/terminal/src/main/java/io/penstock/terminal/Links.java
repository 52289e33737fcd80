package io.penstock.terminal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The hyperlinks of a terminal by number, from 1; cells refer to these numbers. Links without a cell make room for new ones. If
 * there is no room, the text of a new link is plain.
 */
final class Links {

    /** New links between two scans of all cells, while there is no room. */
    private static final int SCAN_INTERVAL = TerminalLimits.LINKS / 8;

    private final ArrayList<@Nullable Link> known = new ArrayList<>();
    private final Map<Link, Integer> numbers = new HashMap<>();
    private final ArrayDeque<Integer> free = new ArrayDeque<>();
    private int untilScan;

    Link of(int number) {
        Link link = known.get(number - 1);
        if (link == null) {
            throw new IllegalStateException("no link has the number " + number);
        }
        return link;
    }

    /** Its number; 0 if there is no room for it. */
    int number(Link link, Emulator terminal) {
        Integer there = numbers.get(link);
        if (there != null) {
            return there;
        }
        int number;
        if (known.size() < TerminalLimits.LINKS) {
            known.add(link);
            number = known.size();
        } else {
            untilScan--;
            if (free.isEmpty() && untilScan <= 0) {
                freeUnused(terminal);
                untilScan = SCAN_INTERVAL;
            }
            if (free.isEmpty()) {
                return 0;
            }
            number = free.removeLast();
            known.set(number - 1, link);
        }
        numbers.put(link, number);
        return number;
    }

    private void freeUnused(Emulator terminal) {
        var used = new BitSet();
        terminal.work.add(terminal.main.maxCells() + (long) terminal.grid.rows() * terminal.grid.cols());
        terminal.main.history().forEach(line -> line.addLinks(used));
        for (int row = 0; row < terminal.main.rows(); row++) {
            terminal.main.line(row).addLinks(used);
            terminal.grid.line(row).addLinks(used);
        }
        for (int number = 1; number <= known.size(); number++) {
            Link link = known.get(number - 1);
            if (link != null && !used.get(number)) {
                numbers.remove(link);
                known.set(number - 1, null);
                free.add(number);
            }
        }
    }
}
