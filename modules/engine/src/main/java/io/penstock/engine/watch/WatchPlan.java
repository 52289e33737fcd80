package io.penstock.engine.watch;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.penstock.frames.Channel;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import io.penstock.frames.WatchScope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** The watchers of one task, checked and compiled; immutable. A watcher's index is its place in the request. */
public final class WatchPlan {

    /** @param outline a superset of the pattern, for the prefilter */
    record Watch(int index, WatchSpec spec, Pattern pattern, Outline outline) {}

    private final List<Watch> watches;

    private WatchPlan(List<Watch> watches) {
        this.watches = List.copyOf(watches);
    }

    /**
     * Compiles the watchers, which usually takes microseconds but milliseconds for unusual patterns: call it on a worker. Throws {@link
     * FailureCode#INVALID_REQUEST} with the index and the reason.
     */
    public static WatchPlan of(List<WatchSpec> specs) {
        if (specs.size() > Limits.WATCHERS) {
            throw refused(
                    Limits.WATCHERS, "", "a task has at most " + Limits.WATCHERS + " watchers, not " + specs.size());
        }
        List<Watch> watches = new ArrayList<>();
        long steps = 0;
        for (WatchSpec spec : specs) {
            Watch watch = compile(watches.size(), spec);
            steps += watch.outline().steps();
            if (steps > Limits.WATCH_STEPS) {
                String reason = "the patterns up to here expand to more than " + Limits.WATCH_STEPS + " steps";
                throw refused(watch.index(), ".regex", reason);
            }
            watches.add(watch);
        }
        return new WatchPlan(watches);
    }

    /**
     * Compiles the watchers of a task with these outputs. Throws {@link FailureCode#INVALID_REQUEST} also for a watcher of another output.
     */
    public static WatchPlan of(List<WatchSpec> specs, Collection<Channel> outputs) {
        for (int i = 0; i < specs.size(); i++) {
            if (Collections.disjoint(specs.get(i).channels(), outputs)) {
                String names = outputs.stream().sorted().map(Channel::wireName).collect(Collectors.joining(" and "));
                throw refused(i, ".stream", "the task has " + names + " only");
            }
        }
        return of(specs);
    }

    public List<WatchSpec> specs() {
        return watches.stream().map(Watch::spec).toList();
    }

    List<Watch> watches() {
        return watches;
    }

    private static Watch compile(int index, WatchSpec spec) {
        checkEvent(index, spec.event());
        if (spec.channels().isEmpty()) {
            throw refused(index, ".channels", "no channel is named");
        }
        String regex = spec.regex();
        if (regex.length() > Limits.WATCH_PATTERN_CHARS) {
            throw refused(
                    index,
                    ".regex",
                    "at most " + Limits.WATCH_PATTERN_CHARS + " characters, this one has " + regex.length());
        }
        PatternCheck.refusal(regex, Limits.WATCH_PATTERN_STEPS).ifPresent(reason -> {
            throw refused(index, ".regex", reason + ": `" + regex + "`");
        });
        Outline outline = new OutlineParser(regex).parse();
        Pattern pattern;
        try {
            pattern = Pattern.compile(regex, spec.scope() == WatchScope.WINDOW ? Pattern.MULTILINE : 0);
        } catch (PatternSyntaxException e) {
            throw refused(index, ".regex", e.getDescription() + ": `" + e.getPattern() + "`");
        }
        if (outline.empty()) {
            throw refused(index, ".regex", "it matches without any character, thus everywhere: `" + regex + "`");
        }
        return new Watch(index, spec, pattern, outline);
    }

    private static void checkEvent(int index, String event) {
        if (event.isBlank()) {
            throw refused(index, ".event", "it is empty");
        }
        if (event.length() > Limits.WATCH_EVENT_CHARS) {
            throw refused(
                    index,
                    ".event",
                    "at most " + Limits.WATCH_EVENT_CHARS + " characters, this one has " + event.length());
        }
        if (event.chars().anyMatch(Character::isISOControl)) {
            throw refused(index, ".event", "it contains a control character");
        }
    }

    private static Failure refused(int index, String field, String reason) {
        return new Failure(FailureCode.INVALID_REQUEST, "watch[" + index + "]" + field + ": " + reason);
    }
}
