package io.penstock.engine.watch;

import io.penstock.frames.Channel;
import io.penstock.frames.WatchScope;
import java.util.Set;

/**
 * A watcher as requested; {@link WatchPlan} checks it.
 *
 * @param regex a pattern in RE2 syntax
 * @param event the owner's name for a hit
 * @param channels the channels to watch
 * @param once whether the first hit, on any channel, is the last
 */
public record WatchSpec(String regex, String event, Set<Channel> channels, boolean once, WatchScope scope) {

    public WatchSpec {
        channels = Set.copyOf(channels);
    }

    /** A watcher of every line of every channel. */
    public WatchSpec(String regex, String event) {
        this(regex, event, Set.of(Channel.values()), false, WatchScope.LINE);
    }
}
