package io.penstock.engine.screen.terminal;

import io.penstock.frames.Limits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The hyperlinks of a terminal by their numbers, from 1, which is what cells have of them. Those that no cell has any more make
 * room for others; where there is no room, a link is none.
 */
final class Links {

    /** New links from one look at all cells to the next, where there is no room. */
    private static final int BETWEEN_LOOKS = Limits.SCREEN_LINKS / 8;

    private final ArrayList<@Nullable Link> known = new ArrayList<>();
    private final Map<Link, Integer> numbers = new HashMap<>();
    private final ArrayDeque<Integer> free = new ArrayDeque<>();
    private int untilLook;

    Link of(int number) {
        Link link = known.get(number - 1);
        if (link == null) {
            throw new IllegalStateException("No link has the number " + number);
        }
        return link;
    }

    /** Its number; 0 where there is no room for it. */
    int number(Link link, Emulator terminal) {
        Integer there = numbers.get(link);
        if (there != null) {
            return there;
        }
        int number;
        if (known.size() < Limits.SCREEN_LINKS) {
            known.add(link);
            number = known.size();
        } else {
            untilLook--;
            if (free.isEmpty() && untilLook <= 0) {
                forgetUnused(terminal);
                untilLook = BETWEEN_LOOKS;
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

    private void forgetUnused(Emulator terminal) {
        var used = new BitSet();
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
