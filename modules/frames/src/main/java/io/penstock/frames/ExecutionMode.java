package io.penstock.frames;

import java.util.List;
import java.util.Locale;

/** How a program is connected: two pipes, or one terminal. */
public enum ExecutionMode {
    PIPES(List.of(Channel.STDOUT, Channel.STDERR)),
    PTY(List.of(Channel.PTY));

    private final List<Channel> channels;
    private final String wireName = name().toLowerCase(Locale.ROOT);

    ExecutionMode(List<Channel> channels) {
        this.channels = channels;
    }

    public List<Channel> channels() {
        return channels;
    }

    public String wireName() {
        return wireName;
    }
}
