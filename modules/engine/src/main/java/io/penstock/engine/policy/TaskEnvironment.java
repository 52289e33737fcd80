package io.penstock.engine.policy;

import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The environment variables that a spawn requests. Values may be secrets: they are compared, but never shown or recorded. */
public final class TaskEnvironment {

    public static final TaskEnvironment NONE = new TaskEnvironment(new TreeSet<>(), null);

    private final SortedSet<String> names;
    private final @Nullable Map<String, String> values;

    private TaskEnvironment(SortedSet<String> names, @Nullable Map<String, String> values) {
        this.names = names;
        this.values = values;
    }

    public static TaskEnvironment of(Map<String, String> variables) {
        return new TaskEnvironment(new TreeSet<>(variables.keySet()), Map.copyOf(variables));
    }

    /** The environment of a recorded spawn: its args list the names; values are never recorded. */
    public static TaskEnvironment recorded(Map<String, Object> args) {
        if (!(args.get("env") instanceof List<?> recorded)) {
            return NONE;
        }
        var names = new TreeSet<String>();
        recorded.forEach(name -> names.add(String.valueOf(name)));
        return new TaskEnvironment(names, null);
    }

    List<String> names() {
        return List.copyOf(names);
    }

    /** Null if the values are unknown. */
    @Nullable
    String value(String name) {
        return values == null ? null : values.get(name);
    }

    @Override
    public String toString() {
        return "the environment variables " + names;
    }
}
