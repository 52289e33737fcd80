package io.penstock.engine.agent;

import java.util.List;

/** A change of a file as lines that begin with - and +, without those that are equal before and behind. */
final class LineChange {

    private LineChange() {}

    static String text(String path, String before, String after) {
        List<String> old = lines(before);
        List<String> changed = lines(after);
        int most = Math.min(old.size(), changed.size());
        int head = 0;
        while (head < most && old.get(head).equals(changed.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < most - head && old.get(old.size() - 1 - tail).equals(changed.get(changed.size() - 1 - tail))) {
            tail++;
        }
        var text = new StringBuilder(path);
        old.subList(head, old.size() - tail).forEach(line -> text.append("\n-").append(line));
        changed.subList(head, changed.size() - tail)
                .forEach(line -> text.append("\n+").append(line));
        return text.toString();
    }

    private static List<String> lines(String text) {
        return text.isEmpty() ? List.of() : text.lines().toList();
    }
}
