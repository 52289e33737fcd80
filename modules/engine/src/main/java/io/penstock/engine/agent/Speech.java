package io.penstock.engine.agent;

import io.penstock.frames.TaskAgentMessage.Role;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The parts of messages, with characters whole that the program has cut apart between two of their UTF-16 units. */
final class Speech {

    private final Consumer<AgentEvent> events;
    private @Nullable Role role;
    private @Nullable String messageId;
    private String half = "";

    Speech(Consumer<AgentEvent> events) {
        this.events = events;
    }

    void say(Role newRole, @Nullable String newMessageId, String part) {
        if (newRole != role || !Objects.equals(newMessageId, messageId)) {
            role = newRole;
            messageId = newMessageId;
            half = "";
        }
        String text = half + part;
        int last = text.length() - 1;
        half = last >= 0 && Character.isHighSurrogate(text.charAt(last)) ? text.substring(last) : "";
        String whole = text.substring(0, text.length() - half.length());
        if (!whole.isEmpty()) {
            events.accept(new AgentEvent.Said(newRole, newMessageId, whole));
        }
    }
}
