package io.penstock.engine.pump;

import io.penstock.engine.policy.Policy;
import io.penstock.engine.policy.Rule;
import io.penstock.engine.policy.Verdict;
import io.penstock.frames.Actor;
import io.penstock.testbed.TestBed;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** An engine under a policy that a test sets, and two users. */
@ExtendWith(VertxExtension.class)
abstract class PolicyTestBed {

    static final Actor TESTER = Actor.user("tester");
    static final Actor STRANGER = Actor.user("stranger");

    @TempDir
    Path folder;

    RunningEngine engine;

    private volatile Policy policy = Policy.LOCAL;

    @BeforeEach
    void start(TestBed bed) {
        engine = bed.add(new RunningEngine(folder, () -> policy));
    }

    /** Puts these rules in force. */
    void with(Verdict otherwise, Rule... rules) {
        policy = new Policy("of the test", List.of(rules), otherwise);
    }
}
