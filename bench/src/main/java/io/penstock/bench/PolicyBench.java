package io.penstock.bench;

import io.penstock.engine.policy.ArgValues;
import io.penstock.engine.policy.Operation;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.policy.PolicyQuestion;
import io.penstock.engine.policy.PolicySource;
import io.penstock.engine.policy.Profile;
import io.penstock.engine.policy.TaskEnvironment;
import io.penstock.engine.policy.Verdict;
import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The cost of a verdict if none of a hundred rules matches the question, so that all are evaluated. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@NullUnmarked // JMH initializes the fields.
public class PolicyBench {

    private static final JsonText ARGS =
            new JsonText("{\"command\":\"make -j2 test && ls -la /tmp\",\"cwd\":\"services/api\"}");

    /** The kind of conditions: text comparisons, one in ten with a regular expression, or regular expressions only. */
    @Param({"texts", "mixed", "patterns"})
    private String conditions;

    private Policy policy;
    private PolicyQuestion question;

    @Setup
    public void setUp() throws IOException {
        Path file = Files.createTempFile("penstock-bench-", ".yaml");
        try {
            Files.writeString(file, rules());
            policy = new PolicySource(Profile.FULL_AUTO, file).read();
        } finally {
            Files.delete(file);
        }
        question = new PolicyQuestion(
                Operation.SPAWN,
                Actor.user("alice"),
                "bash",
                ArgValues.of(ARGS),
                TaskEnvironment.NONE,
                ExecutionMode.PIPES,
                null,
                0);
    }

    private String rules() {
        var rules = new StringBuilder("rules:\n");
        for (int i = 0; i < 100; i++) {
            rules.append("  - {name: rule-")
                    .append(i)
                    .append(", verdict: deny, when: '")
                    .append(condition(i))
                    .append("'}\n");
        }
        return rules.toString();
    }

    private String condition(int i) {
        boolean pattern = conditions.equals("patterns") || (conditions.equals("mixed") && i % 10 == 0);
        return pattern
                ? "tool == \"bash\" && args.command.matches(\"^git" + i + " (push|pull)\")"
                : switch (i % 3) {
                    case 0 -> "tool == \"bash\" && args.command.contains(\"rm -rf /" + i + "\")";
                    case 1 -> "args.command.startsWith(\"npm" + i + " \") || args.command == \"npm" + i + "\"";
                    default -> "tool == \"tool-" + i + "\" && mode == \"pty\"";
                };
    }

    @Benchmark
    public Verdict verdict() {
        return policy.verdict(question);
    }

    /** An additional cost of a spawn: its arguments, prepared for conditions. */
    @Benchmark
    public Object args() {
        return ArgValues.of(ARGS);
    }
}
