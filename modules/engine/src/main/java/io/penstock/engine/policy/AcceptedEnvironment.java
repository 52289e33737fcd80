package io.penstock.engine.policy;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The environment variables that a rule accepts for the programs it allows. A variable can make a program run other code than the rule
 * means, so under the profile {@code safe} a rule accepts only the variables that it lists.
 */
public sealed interface AcceptedEnvironment {

    AcceptedEnvironment ANY = new Any();
    AcceptedEnvironment NONE = new Listed(Map.of());

    /** Why this environment is not accepted, as the reason of a denial; null if it is. */
    @Nullable
    String refusal(TaskEnvironment requested);

    /**
     * Reads a rule's list, whose entries are NAME for any value, or NAME=VALUE. Throws {@link IllegalArgumentException} with a message
     * about what is wrong.
     */
    static AcceptedEnvironment parse(List<String> entries) {
        var accepted = new HashMap<String, Set<String>>();
        for (String entry : entries) {
            int equals = entry.indexOf('=');
            String name = equals < 0 ? entry : entry.substring(0, equals);
            if (name.isBlank() || !name.equals(name.strip())) {
                throw new IllegalArgumentException(
                        "an entry of \"env\" must be NAME or NAME=VALUE, but one is \"" + entry + "\"");
            }
            if (equals < 0 && CodeVariables.has(name)) {
                throw new IllegalArgumentException("with any value of " + name
                        + " a caller could run any code: list the accepted values as " + name + "=VALUE");
            }
            Set<String> values = accepted.computeIfAbsent(name, first -> new HashSet<>());
            values.add(equals < 0 ? Listed.ANY_VALUE : entry.substring(equals + 1));
        }
        return new Listed(accepted);
    }

    record Any() implements AcceptedEnvironment {
        @Override
        public @Nullable String refusal(TaskEnvironment requested) {
            return null;
        }
    }

    /** @param accepted the values by name; {@link #ANY_VALUE} among them accepts every value */
    record Listed(Map<String, Set<String>> accepted) implements AcceptedEnvironment {

        /** Contains a NUL, so no variable can have this value. */
        static final String ANY_VALUE = "\0";

        /** Longer names are cut, since a reason has a length limit. */
        private static final int SHOWN_CHARS = 80;

        public Listed {
            var copy = new HashMap<String, Set<String>>();
            accepted.forEach((name, values) -> copy.put(name, Set.copyOf(values)));
            accepted = Map.copyOf(copy);
        }

        @Override
        public @Nullable String refusal(TaskEnvironment requested) {
            for (String name : requested.names()) {
                Set<String> values = accepted.get(name);
                if (values == null) {
                    return "it does not accept the environment variable " + shown(name)
                            + "; a rule accepts the variables in its list \"env\"";
                }
                String value = requested.value(name);
                if (!values.contains(ANY_VALUE) && value == null) {
                    return "it accepts the environment variable " + shown(name)
                            + " with certain values only, and values are not recorded";
                }
                if (!values.contains(ANY_VALUE) && !values.contains(value)) {
                    return "it does not accept this value of the environment variable " + shown(name);
                }
            }
            return null;
        }

        /** Removes unusual characters: the caller chose the name, and terminals display the reason. */
        private static String shown(String name) {
            String cut = name.length() <= SHOWN_CHARS ? name : name.substring(0, SHOWN_CHARS) + "...";
            return cut.replaceAll("[^A-Za-z0-9_.%()-]", "?");
        }
    }
}
