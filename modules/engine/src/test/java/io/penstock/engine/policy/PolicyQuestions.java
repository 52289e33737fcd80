package io.penstock.engine.policy;

import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import java.util.List;
import java.util.Map;

/** Policy questions for tests. */
final class PolicyQuestions {

    static final Actor ALICE = Actor.user("alice");

    private PolicyQuestions() {}

    static PolicyQuestion spawn(String command) {
        return spawn(command, ExecutionMode.PIPES);
    }

    static PolicyQuestion spawn(String command, ExecutionMode mode) {
        return new PolicyQuestion(
                Operation.SPAWN, ALICE, "bash", Map.of("command", command), TaskEnvironment.NONE, mode, null, 0);
    }

    static PolicyQuestion spawn(String command, Map<String, String> environment) {
        return new PolicyQuestion(
                Operation.SPAWN,
                ALICE,
                "bash",
                Map.of("command", command, "env", List.copyOf(environment.keySet())),
                TaskEnvironment.of(environment),
                ExecutionMode.PIPES,
                null,
                0);
    }

    static PolicyQuestion to(Operation operation, Actor who) {
        return new PolicyQuestion(
                operation, who, "bash", Map.of("command", "make"), TaskEnvironment.NONE, ExecutionMode.PTY, "cli", 0);
    }
}
