package io.penstock.testbed;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An answer of the {@link StubModel} as server-sent events of one interface. */
abstract class ModelAnswer {

    private static final Set<String> SHELLS = Set.of("bash", "shell", "exec_command", "shell_command", "local_shell");

    /**
     * What to do: the script is in the last entry of the user. A request without a tool for commands, by which programs ask for titles,
     * gets the usual answer.
     */
    static ModelScript script(List<JsonObject> entries, String toolResult, @Nullable String shell) {
        int last = -1;
        for (int i = 0; i < entries.size(); i++) {
            if ("user".equals(entries.get(i).getString("role"))) {
                last = i;
            }
        }
        int done = 0;
        for (JsonObject entry : entries.subList(last + 1, entries.size())) {
            if (toolResult.equals(entry.getString("role")) || toolResult.equals(entry.getString("type"))) {
                done++;
            }
        }
        return new ModelScript(
                last < 0 || shell == null ? "" : text(entries.get(last).getValue("content")), done);
    }

    abstract ModelScript script();

    /** The events up to where the answer may be held back. */
    abstract Stream<String> begin();

    abstract Stream<String> rest();

    static List<JsonObject> objects(JsonObject request, String name) {
        var objects = new ArrayList<JsonObject>();
        request.getJsonArray(name, new JsonArray()).forEach(item -> objects.add((JsonObject) item));
        return objects;
    }

    /** The name of the program's tool for commands; null if it offers none. */
    static @Nullable String shell(Stream<String> tools) {
        return tools.filter(SHELLS::contains).findFirst().orElse(null);
    }

    private static String text(Object content) {
        return content instanceof JsonArray parts
                ? parts.stream()
                        .map(part -> ((JsonObject) part).getString("text", ""))
                        .collect(Collectors.joining(" "))
                : String.valueOf(content);
    }
}
