package io.penstock.engine.agent;

import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A conversation whose program is the test: it writes lines and sees what was sent and what happened. */
final class Exchange implements AgentProtocol.Listener {

    final AgentProtocol protocol;
    final List<AgentEvent> events = new ArrayList<>();
    private final List<JsonObject> sent = new ArrayList<>();

    Exchange(Function<AgentProtocol.Listener, AgentProtocol> protocol) {
        this.protocol = protocol.apply(this);
    }

    @Override
    public void send(byte[] lines) {
        new String(lines, StandardCharsets.UTF_8).lines().map(JsonObject::new).forEach(sent::add);
    }

    @Override
    public void happened(AgentEvent event) {
        events.add(event);
    }

    /** The program writes this line. */
    Exchange says(String line) {
        return bytes((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    Exchange says(JsonObject line) {
        return says(line.encode());
    }

    Exchange bytes(byte[] bytes) {
        protocol.read(ByteBuffer.wrap(bytes));
        return this;
    }

    /** What was sent since this was last asked. */
    List<JsonObject> sent() {
        List<JsonObject> lines = List.copyOf(sent);
        sent.clear();
        return lines;
    }

    JsonObject sentOne() {
        List<JsonObject> lines = sent();
        if (lines.size() != 1) {
            throw new AssertionError("one line was expected, not " + lines);
        }
        return lines.getFirst();
    }

    /** What happened since this was last asked. */
    List<AgentEvent> happened() {
        List<AgentEvent> seen = List.copyOf(events);
        events.clear();
        return seen;
    }

    @Nullable
    AgentEvent last() {
        return events.isEmpty() ? null : events.getLast();
    }
}
