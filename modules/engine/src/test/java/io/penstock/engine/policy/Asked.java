package io.penstock.engine.policy;

import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import java.util.Map;

/** Questions as tests ask them. */
final class Asked {

    static final Actor ALICE = Actor.user("alice");

    private Asked() {}

    static PolicyQuestion spawn(String command) {
        return spawn(command, ExecutionMode.PIPES);
    }

    static PolicyQuestion spawn(String command, ExecutionMode mode) {
        return new PolicyQuestion(Operation.SPAWN, ALICE, "bash", Map.of("command", command), mode, null, 0);
    }

    static PolicyQuestion to(Operation operation, Actor who) {
        return new PolicyQuestion(operation, who, "bash", Map.of("command", "make"), ExecutionMode.PTY, "cli", 0);
    }
}
