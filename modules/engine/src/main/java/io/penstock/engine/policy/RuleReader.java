package io.penstock.engine.policy;

import io.penstock.frames.Budgets;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Limits;
import io.penstock.frames.RecordInput;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;

/** Reads one rule of a file. */
final class RuleReader {

    private static final Set<Operation> ANSWERABLE = EnumSet.of(Operation.SPAWN, Operation.AGENT_TOOL);

    private static final List<String> KEYS = List.of(
            "name",
            "when",
            "verdict",
            "operations",
            "modes",
            "env",
            "reason",
            "question",
            "within",
            "budgets",
            "record_input");
    private static final List<String> BUDGETS = List.of("time", "output", "events");

    /** Long enough for a person at a desk to notice. */
    private static final long DEFAULT_ANSWER_MS = 600_000;

    private enum Word {
        ALLOW,
        DENY,
        ASK
    }

    private final Path file;
    private final YamlMapping rule;
    private final Profile profile;

    RuleReader(Path file, Node node, Profile profile) {
        this.file = file;
        this.rule = new YamlMapping(file, node, "a rule", KEYS);
        this.profile = profile;
    }

    Rule rule() {
        String name = name();
        Word word = word();
        if (word != Word.ASK && (rule.has("question") || rule.has("within"))) {
            throw rule.broken(rule.has("question") ? "question" : "within", "it belongs to a rule with verdict ask");
        }
        Set<Operation> operations = operations();
        Predicate<PolicyQuestion> modes = modes(word);
        Verdict verdict = switch (word) {
            case ALLOW -> allow(name, operations);
            case DENY -> deny(name);
            case ASK -> ask(name, operations);
        };
        AcceptedEnvironment environment = environment(word, operations);
        Condition condition = condition();
        return new Rule(
                question ->
                        operations.contains(question.operation()) && modes.test(question) && condition.holds(question),
                verdict,
                environment);
    }

    private String name() {
        String name = rule.text("name");
        if (name.length() > Limits.POLICY_RULE_CHARS) {
            throw rule.broken("name", "a name has at most " + Limits.POLICY_RULE_CHARS + " characters");
        }
        return name;
    }

    private Word word() {
        return constant(
                rule.text("verdict"),
                "verdict",
                Word.values(),
                word -> word.name().toLowerCase(Locale.ROOT));
    }

    /** Only spawns by default: a rule that denies stopping a task has to say so. */
    private Set<Operation> operations() {
        return rule.has("operations")
                ? all("operations", Operation.values(), Operation::wireName, Operation.class)
                : EnumSet.of(Operation.SPAWN);
    }

    /** A rule allows a terminal only explicitly, as a terminal can hide its dialogue. Operations on one are allowed by default. */
    private Predicate<PolicyQuestion> modes(Word word) {
        if (rule.has("modes")) {
            Set<ExecutionMode> modes =
                    all("modes", ExecutionMode.values(), ExecutionMode::wireName, ExecutionMode.class);
            return question -> modes.contains(question.mode());
        }
        return question ->
                word != Word.ALLOW || question.operation() != Operation.SPAWN || question.mode() == ExecutionMode.PIPES;
    }

    /** Without a list, a rule accepts every variable if the profile allows every program, and none under safe. */
    private AcceptedEnvironment environment(Word word, Set<Operation> operations) {
        if (!rule.has("env")) {
            return profile == Profile.SAFE ? AcceptedEnvironment.NONE : AcceptedEnvironment.ANY;
        }
        if (word == Word.DENY || !operations.contains(Operation.SPAWN)) {
            throw rule.broken("env", "\"env\" belongs to a rule that allows spawns or asks about them");
        }
        try {
            return AcceptedEnvironment.parse(rule.words("env"));
        } catch (IllegalArgumentException e) {
            throw rule.broken("env", String.valueOf(e.getMessage()));
        }
    }

    private Verdict allow(String name, Set<Operation> operations) {
        String reason = reason();
        if (profile == Profile.SAFE && operations.contains(Operation.SPAWN) && reason == null) {
            throw rule.broken("name", "under the profile safe, a rule that allows a spawn must have a \"reason\"");
        }
        return new Verdict.Allow(
                name, reason, PolicyFile.merged(budgets(), profile.budgets()), recordInput(operations));
    }

    private Verdict ask(String name, Set<Operation> operations) {
        if (!ANSWERABLE.containsAll(operations)) {
            throw rule.broken(
                    "operations",
                    "only a spawn and the tool of an agent can wait for an answer, so a rule with verdict ask has no other"
                            + " operations");
        }
        String question = rule.text("question");
        if (question.length() > Limits.POLICY_REASON_CHARS) {
            throw rule.broken("question", "a question has at most " + Limits.POLICY_REASON_CHARS + " characters");
        }
        Long within = amount(rule, "within", Amount.TIME);
        if (within != null && within > Limits.POLICY_ANSWER_MS) {
            throw rule.broken("within", "a question is open for at most a day");
        }
        return new Verdict.Ask(
                name,
                question,
                within == null ? DEFAULT_ANSWER_MS : within,
                PolicyFile.merged(budgets(), profile.budgets()),
                recordInput(operations));
    }

    private Verdict deny(String name) {
        if (rule.has("budgets")) {
            throw rule.broken("budgets", "\"budgets\" belongs to a rule that allows or asks about a spawn");
        }
        if (rule.has("record_input")) {
            throw rule.broken("record_input", "\"record_input\" belongs to a rule that allows or asks about a spawn");
        }
        String reason = reason();
        return new Verdict.Deny(name, reason == null ? "the policy denies it" : reason);
    }

    private @Nullable String reason() {
        String reason = rule.textOrNull("reason");
        if (reason != null && reason.length() > Limits.POLICY_REASON_CHARS) {
            throw rule.broken("reason", "a reason has at most " + Limits.POLICY_REASON_CHARS + " characters");
        }
        return reason;
    }

    private Condition condition() {
        String text = rule.text("when");
        try {
            return Condition.compile(text);
        } catch (IllegalArgumentException e) {
            throw rule.broken("when", "the condition is wrong: " + e.getMessage());
        }
    }

    private @Nullable RecordInput recordInput(Set<Operation> operations) {
        if (!rule.has("record_input")) {
            return null;
        }
        if (!operations.contains(Operation.SPAWN)) {
            throw rule.broken("record_input", "\"record_input\" belongs to a rule about the operation spawn");
        }
        return constant(rule.text("record_input"), "record_input", RecordInput.values(), RecordInput::wireName);
    }

    private Budgets budgets() {
        if (!rule.has("budgets")) {
            return Budgets.NONE;
        }
        var budgets = new YamlMapping(file, rule.node("budgets"), "\"budgets\"", BUDGETS);
        return new Budgets(
                amount(budgets, "time", Amount.TIME),
                amount(budgets, "output", Amount.BYTES),
                amount(budgets, "events", Amount.COUNT));
    }

    private static @Nullable Long amount(YamlMapping mapping, String key, Amount amount) {
        if (!mapping.has(key)) {
            return null;
        }
        try {
            return amount.parse(mapping.text(key));
        } catch (IllegalArgumentException e) {
            throw mapping.broken(key, "\"" + key + "\" " + e.getMessage());
        }
    }

    private <E extends Enum<E>> Set<E> all(String key, E[] known, Function<E, String> name, Class<E> type) {
        Set<E> all = EnumSet.noneOf(type);
        rule.words(key).forEach(word -> all.add(constant(word, key, known, name)));
        if (all.isEmpty()) {
            throw rule.broken(key, "\"" + key + "\" is empty; omit it or list some words");
        }
        return all;
    }

    private <E> E constant(String word, String key, E[] known, Function<E, String> name) {
        for (E one : known) {
            if (name.apply(one).equals(word)) {
                return one;
            }
        }
        List<String> names = Arrays.stream(known).map(name).toList();
        throw rule.broken(
                key, "\"" + key + "\" must be one of " + String.join(", ", names) + ", but is \"" + word + "\"");
    }
}
