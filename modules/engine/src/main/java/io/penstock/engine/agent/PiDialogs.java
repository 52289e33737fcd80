package io.penstock.engine.agent;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The dialogs of pi's extensions. One that can be answered with yes or no becomes a question; all others are dismissed at once, because
 * the extension would wait for ever.
 */
final class PiDialogs {

    /** Dialogs that wait for an answer: an extension shows one at a time, and each takes memory. */
    static final int OPEN = 64;

    private static final Set<String> DIALOGS = Set.of("select", "confirm", "input", "editor");

    /** First words of the option that a choice between yes and no has for yes. */
    private static final Set<String> YES = Set.of("yes", "allow", "approve", "ok");

    /** A dialog that waits for its answer; {@code yes} is the option that stands for yes, null in a dialog without options. */
    private record Dialog(String id, @Nullable String yes) {}

    private final Map<String, Dialog> open = new LinkedHashMap<>();
    private final Consumer<JsonObject> sender;
    private int asked;

    PiDialogs(Consumer<JsonObject> sender) {
        this.sender = sender;
    }

    /** The question that a dialog asks; null if it is dismissed or needs no answer. */
    AgentEvent.@Nullable Asks ask(JsonObject request, boolean askable) {
        String id = AgentJson.text(request, "id");
        String method = AgentJson.text(request, "method");
        if (id == null || method == null || !DIALOGS.contains(method)) {
            return null;
        }
        String yes = yes(request);
        if (!askable || open.size() >= OPEN || !method.equals("confirm") && yes == null) {
            dismiss(id);
            return null;
        }
        String questionId = "q" + ++asked;
        open.put(questionId, new Dialog(id, yes));
        var input = new JsonObject();
        for (String part : List.of("message", "options")) {
            if (request.containsKey(part)) {
                input.put(part, request.getValue(part));
            }
        }
        String title = AgentJson.line(request, "title");
        return new AgentEvent.Asks(questionId, null, null, title == null ? "an extension asks" : title, input);
    }

    void answer(String questionId, boolean allow) {
        Dialog dialog = open.remove(questionId);
        if (dialog == null) {
            return;
        }
        if (dialog.yes() == null) {
            sender.accept(response(dialog.id()).put("confirmed", allow));
        } else if (allow) {
            sender.accept(response(dialog.id()).put("value", dialog.yes()));
        } else {
            dismiss(dialog.id());
        }
    }

    void dismissAll() {
        List<Dialog> all = List.copyOf(open.values());
        open.clear();
        all.forEach(dialog -> dismiss(dialog.id()));
    }

    private static @Nullable String yes(JsonObject request) {
        return request.getValue("options") instanceof JsonArray options
                ? options.stream()
                        .map(option -> option instanceof String text ? text : "")
                        .filter(text -> YES.contains(
                                text.strip().toLowerCase(Locale.ROOT).split("\\W", 2)[0]))
                        .findFirst()
                        .orElse(null)
                : null;
    }

    private void dismiss(String id) {
        sender.accept(response(Objects.requireNonNull(id)).put("cancelled", true));
    }

    private static JsonObject response(String id) {
        return new JsonObject().put("type", "extension_ui_response").put("id", id);
    }
}
