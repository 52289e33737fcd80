package io.penstock.engine.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Conditions in CEL: their variables, their answers, and that quick answers equal CEL's. */
class ConditionTest {

    private static final PolicyQuestion QUESTION = new PolicyQuestion(
            Operation.STDIN,
            Actor.user("alice"),
            "bash",
            ArgValues.of(
                    new JsonText(
                            "{\"command\":\"make test\",\"rows\":24,\"env\":[\"CI\",\"TOKEN\"],\"cwd\":null,\"deep\":{\"a\":[1.5,true,null]}}")),
            TaskEnvironment.of(Map.of("TOKEN", "secret", "CI", "1")),
            ExecutionMode.PTY,
            null,
            2);

    @ParameterizedTest
    @CsvSource(delimiter = '~', textBlock = """
            tool == "bash" ~ true
            tool != "bash" ~ false
            args.command.startsWith("make ") ~ true
            args["command"].endsWith("test") ~ true
            args.command.matches("^make (test|check)$") ~ true
            args.rows == 24 && depth < 3 ~ true
            "TOKEN" in args.env ~ true
            args.env.exists(name, name.startsWith("AWS_")) ~ false
            env_names == ["CI", "TOKEN"] && size(env_names) == 2 ~ true
            env_names.exists(name, name.startsWith("LD_")) ~ false
            cwd == "" ~ true
            cwd.startsWith("src") ~ false
            has(args.cwd) ~ false
            has(args.cwd) && args.cwd == "src" ~ false
            args.deep.a[0] > 1.0 && args.deep.a[1] && args.deep.a[2] == null ~ true
            mode == "pty" && operation == "stdin" ~ true
            principal == "user:alice" && session == "" ~ true
            args.missing == "x" && tool == "shell" ~ false
            args.missing == "x" || tool == "bash" ~ true
            """)
    void seesTheVariablesOfTheQuestion(String expression, boolean expected) {
        Condition condition = Condition.compile(expression);
        assertEquals(expected, condition.holds(QUESTION));
        assertEquals(expected, condition.evaluate(QUESTION));
    }

    @Test
    void conditionWithoutAnAnswerFailsWithTheReason() {
        for (String expression : List.of(
                "args.missing == \"x\"",
                "args.rows.startsWith(\"2\")",
                "args.command",
                "!(args.missing == \"x\")",
                "args.missing.matches(\"a\")",
                "args.rows.matches(\"2\")")) {
            Condition condition = Condition.compile(expression);
            assertThrows(ConditionFailed.class, () -> condition.holds(QUESTION), expression);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            tool = "bash"          | token recognition error
            tol == "bash"          | undeclared reference to 'tol'
            tool                   | expected type 'bool' but found 'string'
            tool == 3              | found no matching overload
            depth.matches("x")     | found no matching overload
            tool.matches("ba[")    | "ba[" is not a valid pattern
            tool.matches("(?i)[é-漢]") | its case cannot be ignored
            ["a"].exists(a, a.matches("((a{1,1000}){1,1000}){1,10}")) | its repetitions expand to more than 10000 steps
            tool.matches(cwd)      | the pattern of matches must be written out
            """)
    void invalidConditionIsRefusedWithTheReason(String expression, String reason) {
        var wrong = assertThrows(IllegalArgumentException.class, () -> Condition.compile(expression));
        assertTrue(String.valueOf(wrong.getMessage()).contains(reason), wrong::getMessage);
    }

    @Test
    void quickAnswersEqualThoseOfCel() {
        int quick = 0;
        for (int seed = 0; seed < 3_000; seed++) {
            var random = new Random(seed);
            String expression = expression(random, 3);
            PolicyQuestion question = question(random);
            Condition condition = Condition.compile(expression);
            String byCel = said(() -> condition.evaluate(question));
            assertEquals(byCel, said(() -> condition.holds(question)), "seed " + seed + ": " + expression);
            quick += byCel.equals("failed") ? 0 : 1;
        }
        assertTrue(quick > 2_000, "only " + quick + " had an answer");
    }

    private static String said(java.util.function.BooleanSupplier asked) {
        try {
            return String.valueOf(asked.getAsBoolean());
        } catch (ConditionFailed e) {
            return "failed";
        }
    }

    private static String expression(Random random, int depth) {
        int kind = random.nextInt(depth == 0 ? 4 : 8);
        return switch (kind) {
            case 0, 1, 2 -> leaf(random);
            case 3 -> "args.command.matches(\"" + (random.nextBoolean() ? "^" : "") + word(random) + "[ab]?b$\")";
            case 4, 5 -> "(" + expression(random, depth - 1) + " && " + expression(random, depth - 1) + ")";
            case 6 -> "(" + expression(random, depth - 1) + " || " + expression(random, depth - 1) + ")";
            default -> "!(" + expression(random, depth - 1) + ")";
        };
    }

    private static String leaf(Random random) {
        String value = List.of("tool", "mode", "session", "cwd", "args.command", "args.cwd", "args.mixed")
                .get(random.nextInt(7));
        String constant = "\"" + word(random) + "\"";
        return switch (random.nextInt(5)) {
            case 0 -> value + " == " + constant;
            case 1 -> value + " != " + constant;
            case 2 -> value + ".startsWith(" + constant + ")";
            case 3 -> value + ".endsWith(" + constant + ")";
            default -> value + ".contains(" + constant + ")";
        };
    }

    private static String word(Random random) {
        return List.of("bash", "shell", "pty", "a", "ab", "水", "").get(random.nextInt(7));
    }

    private static PolicyQuestion question(Random random) {
        var fields = new ArrayList<String>();
        fields.add("\"command\":\"" + word(random) + word(random) + "\"");
        if (random.nextBoolean()) {
            fields.add("\"cwd\":\"" + word(random) + "\"");
        }
        fields.add(
                "\"mixed\":" + List.of("1", "null", "true", "\"ab\"", "[\"a\"]").get(random.nextInt(5)));
        return new PolicyQuestion(
                Operation.SPAWN,
                Actor.user("alice"),
                word(random) + "x",
                ArgValues.of(new JsonText("{" + String.join(",", fields) + "}")),
                TaskEnvironment.NONE,
                ExecutionMode.values()[random.nextInt(2)],
                random.nextBoolean() ? null : "s" + random.nextInt(3),
                random.nextInt(3));
    }
}
