package io.penstock.engine.policy;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules in force, while their file changes. */
@Tag("long")
class PolicyVerticleTest {

    private final Vertx vertx = Vertx.vertx();

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        await(vertx.close());
    }

    private PolicyVerticle deployed(Path file) {
        var verticle = new PolicyVerticle(new PolicySource(Profile.LOCAL, file));
        await(vertx.deployVerticle(verticle));
        return verticle;
    }

    private Path write(String name) {
        return put("rules: [{name: " + name + ", when: 'true', verdict: deny, reason: " + name + "}]");
    }

    /** Replaces the file at once: while it is written in place, it may be read empty. */
    private Path put(String rules) {
        try {
            return Files.move(
                    Files.writeString(folder.resolve("next"), rules),
                    folder.resolve("policy.yaml"),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Polls until the condition holds, as shards read the policy for each question. */
    private static void until(BooleanSupplier holds) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("the condition never held");
            }
            Thread.onSpinWait();
        }
    }

    @Test
    void validChangesTakeEffectAndInvalidOnesDoNot() throws IOException {
        PolicyVerticle policy = deployed(write("first"));
        assertEquals(
                "first", policy.inForce().verdict(PolicyQuestions.spawn("x")).rule());
        write("second");
        until(() -> policy.inForce().verdict(PolicyQuestions.spawn("x")).rule().equals("second"));

        put("rules:\n  - name: [");
        until(() -> policy.status().broken() != null);
        assertEquals(
                "second", policy.inForce().verdict(PolicyQuestions.spawn("x")).rule());
        assertEquals(true, String.valueOf(policy.status().broken()).contains("line 2"));

        Files.delete(folder.resolve("policy.yaml"));
        until(() -> String.valueOf(policy.status().broken()).contains("does not exist"));
        assertEquals(
                "second", policy.inForce().verdict(PolicyQuestions.spawn("x")).rule());

        write("third");
        until(() -> policy.inForce().verdict(PolicyQuestions.spawn("x")).rule().equals("third"));
        assertNull(policy.status().broken());
    }

    @Test
    void invalidFileFailsTheStart() {
        Path file = put("rules: 3");
        assertThrows(PolicyFileBroken.class, () -> deployed(file));
    }

    @Test
    void everyQuestionIsDecidedByOneWholeFile() throws Exception {
        PolicyVerticle policy = deployed(put(pair("a")));
        var stop = new AtomicBoolean();
        var wrong = new AtomicReference<@Nullable String>();
        var asking = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            Thread.ofPlatform().start(() -> {
                while (!stop.get()) {
                    Policy now = policy.inForce();
                    String one = now.verdict(PolicyQuestions.spawn("one")).rule();
                    String two = now.verdict(PolicyQuestions.spawn("two")).rule();
                    if (!one.substring(0, 1).equals(two.substring(0, 1)) || !one.endsWith("1") || !two.endsWith("2")) {
                        wrong.set(one + " " + two);
                    }
                }
                asking.countDown();
            });
        }
        for (String letter : new String[] {"b", "c", "d", "e"}) {
            put(pair(letter));
            until(() -> policy.inForce()
                    .verdict(PolicyQuestions.spawn("one"))
                    .rule()
                    .startsWith(letter));
        }
        stop.set(true);
        asking.await();
        assertNull(wrong.get());
        assertInstanceOf(Verdict.Deny.class, policy.inForce().verdict(PolicyQuestions.spawn("one")));
    }

    private static String pair(String letter) {
        return "rules:\n  - {name: " + letter + "1, when: 'args.command == \"one\"', verdict: deny}\n  - {name: "
                + letter + "2, when: 'args.command.matches(\"^two$\")', verdict: deny}\n";
    }
}
