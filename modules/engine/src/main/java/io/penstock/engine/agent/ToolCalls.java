package io.penstock.engine.agent;

import io.penstock.frames.TaskAgentToolCall.Status;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tool calls of a conversation: turns what a program says about one, often again and again, into what has changed. The first event of
 * a call has the status pending, and no later one has.
 */
final class ToolCalls {

    /** Calls that are remembered: an agent has few open. An update of a forgotten call begins it anew. */
    static final int REMEMBERED = 1000;

    /**
     * What a program says about a call; null is as before.
     *
     * @param wholeOutput all that the call has put out so far
     * @param output the next part of what it has put out
     * @param result all that the call has put out, from a program that does not report it before the end
     */
    record Report(
            String callId,
            @Nullable String name,
            @Nullable String title,
            @Nullable Status status,
            @Nullable String input,
            @Nullable String wholeOutput,
            @Nullable String output,
            @Nullable String result) {}

    /** The last reported state of a call; fields that may be long are kept as hashes. */
    private static final class Call {
        private int name;
        private int title;
        private int input;
        private Status status = Status.PENDING;
        private final GrowingText output = new GrowingText();
        private boolean hasOutput;
    }

    private final Map<String, Call> calls = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Call> eldest) {
            return size() > REMEMBERED;
        }
    };

    private final Consumer<AgentEvent> events;

    ToolCalls(Consumer<AgentEvent> events) {
        this.events = events;
    }

    void update(Report report) {
        Call known = calls.get(report.callId());
        Call call = known == null ? begun(report) : known;
        String name = changed(report.name(), call.name);
        String title = changed(report.title(), call.title);
        String input = changed(report.input(), call.input);
        Status status = report.status() == Status.PENDING || report.status() == call.status ? null : report.status();
        String output = output(report, call);
        remember(report, call);
        if (name != null || title != null || status != null || input != null || output != null) {
            events.accept(new AgentEvent.ToolCall(report.callId(), name, title, status, input, output));
        }
    }

    private Call begun(Report report) {
        var call = new Call();
        remember(report, call);
        call.status = Status.PENDING;
        calls.put(report.callId(), call);
        String name = report.name() == null && report.title() == null ? "tool" : report.name();
        events.accept(
                new AgentEvent.ToolCall(report.callId(), name, report.title(), Status.PENDING, report.input(), null));
        return call;
    }

    private static void remember(Report report, Call call) {
        call.name = report.name() == null ? call.name : report.name().hashCode();
        call.title = report.title() == null ? call.title : report.title().hashCode();
        call.input = report.input() == null ? call.input : report.input().hashCode();
        call.status = report.status() == null || report.status() == Status.PENDING ? call.status : report.status();
    }

    private static @Nullable String output(Report report, Call call) {
        String grown = report.wholeOutput() == null ? "" : call.output.next(report.wholeOutput());
        String all = report.output() == null ? grown : grown + report.output();
        String shown = all.isEmpty() && !call.hasOutput && report.result() != null ? report.result() : all;
        call.hasOutput |= !shown.isEmpty();
        return shown.isEmpty() ? null : shown;
    }

    private static @Nullable String changed(@Nullable String value, int hashBefore) {
        return value == null || value.hashCode() == hashBefore ? null : value;
    }
}
