package io.penstock.engine.pump;

import io.penstock.engine.spawn.Survivor;
import io.penstock.frames.Limits;
import java.util.List;
import java.util.stream.Collectors;

/** Sentences that are made of what was found, however much that was, in the length that a frame takes. */
final class Wording {

    private static final int NAMED = 100;

    private Wording() {}

    static String fitting(String text) {
        return text.length() <= Limits.TEXT_CHARS ? text : text.substring(0, Limits.TEXT_CHARS - 1) + "…";
    }

    static String names(List<Survivor> alive) {
        String names = alive.stream()
                .limit(NAMED)
                .map(survivor -> survivor.name() + " (pid " + survivor.pid() + ")")
                .collect(Collectors.joining(", "));
        return alive.size() <= NAMED ? names : names + " and " + (alive.size() - NAMED) + " more";
    }
}
