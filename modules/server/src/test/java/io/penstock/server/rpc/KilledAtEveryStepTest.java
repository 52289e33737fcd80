package io.penstock.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A server that is killed at a step of a request: before each write to the journal, to the agent, to a file and to the host. The next one
 * tells the truth at once, answers the repeated request as the first time, does nothing twice, and opens the task again. A run kills at one step
 * of {@code penstock.kill.stride}, from a random one on; with a stride of 1 at each.
 */
@Tag("server")
class KilledAtEveryStepTest {

    private static final int STRIDE = Integer.getInteger("penstock.kill.stride", 5);

    /** Codes of a request that a dying server was carrying out. */
    private static final Set<String> INTERRUPTED = Set.of("INTERNAL_ERROR", "TASK_NOT_READY", "PI_PROCESS_DEAD");

    /** How a task is opened, by its state before. */
    private static final Map<String, String> MODES =
            Map.of("missing", "created", "stopped", "resumed", "errored", "recovered");

    private static final Pattern PROMPTS = Pattern.compile("^(No|\\d+) prompts? before");

    private final RpcServer server = RpcServer.withSteps("--auth", "off");
    private int prompts;

    @AfterEach
    void stop() {
        server.close();
    }

    /** @param over whether a line is the last of the request */
    private record Request(String type, JsonObject payload, Predicate<JsonObject> over) {

        JsonObject ask(Host host, String id) {
            return host.ask(id, type, payload);
        }
    }

    private static Predicate<JsonObject> response(String type) {
        return line -> line.getString("id", "").startsWith(type);
    }

    private static Predicate<JsonObject> event(String event) {
        return line -> event.equals(line.getString("event"));
    }

    /** Returns whether the request was over before this step. */
    private boolean killAt(int step, Consumer<Host> before, String name, Request request) {
        String id = request.type() + "-" + step;
        String at;
        Optional<JsonObject> answered;
        try (ServerSteps steps = server.steps();
                Host host = server.host()) {
            before.accept(host);
            CompletableFuture<String> reached = steps.stopAt(step);
            host.send(id, request.type(), request.payload());
            CompletableFuture<JsonObject> over = CompletableFuture.supplyAsync(() -> host.until(request.over()));
            CompletableFuture.anyOf(reached, over).join();
            if (!reached.isDone()) {
                return true;
            }
            at = reached.join();
            server.kill();
            answered = over.handle((line, cut) -> host.heard.stream()
                            .filter(each -> id.equals(each.getString("id")))
                            .findFirst())
                    .join();
        }
        server.restart("--auth", "off");
        try (Host host = server.host()) {
            recovered(host, name, id, request, answered);
        } catch (AssertionError e) {
            throw new AssertionError(
                    "killed at step " + step + " of " + request.type() + ", " + at + ": " + e.getMessage(), e);
        }
        return false;
    }

    /** @param answered what the request was answered before the kill, if it was */
    private void recovered(Host host, String name, String id, Request request, Optional<JsonObject> answered) {
        assertNull(host.active());
        String state = host.state(name);
        assertTrue(!state.equals("active"), state);
        assertTrue(tasks(name) <= 1);
        JsonObject answer = request.ask(host, id);
        answered.ifPresent(first -> assertEquals(first, answer));
        if (!answer.getBoolean("ok")) {
            String code = answer.getJsonObject("error").getString("code");
            assertTrue(INTERRUPTED.contains(code), code);
        }
        if (answer.getBoolean("ok") && request.type().equals("stop_task")) {
            assertEquals("stopped", host.state(name));
        }
        assertEquals(answer, request.ask(host, id));
        assertNull(host.active());
        open(host, name);
        assertEquals(1, tasks(name));
        countPrompts(host, request.type().equals("prompt") ? 1 : 0);
    }

    /** The task is opened from the state that it is said to have, and selected. */
    private static void open(Host host, String name) {
        String state = host.state(name);
        JsonObject opened = host.ask("create_or_open_task", Host.task(name));
        if (opened.getBoolean("ok")) {
            assertEquals(MODES.get(state), opened.getJsonObject("result").getString("mode"), state);
        } else {
            assertEquals("TASK_NOT_READY", opened.getJsonObject("error").getString("code"), opened.encode());
            assertTrue(Set.of("creating", "ready").contains(state), state + " " + opened);
        }
        host.switchTo(name);
    }

    private int tasks(String name) {
        return new JsonArray(server.process()
                        .get("/tasks?session=taskd&label=" + name)
                        .body())
                .size();
    }

    /** The agent has got all prompts that it was given, and of the interrupted ones each once at most. */
    private void countPrompts(Host host, int interrupted) {
        String id = "history-" + System.nanoTime();
        host.prompt("/history", id);
        host.until(event("agent_end"));
        Matcher said = PROMPTS.matcher(host.said(id));
        assertTrue(said.find(), host.said(id));
        int got = said.group(1).equals("No") ? 0 : Integer.parseInt(said.group(1));
        assertTrue(got >= prompts && got <= prompts + interrupted, got + " prompts, of " + prompts);
        prompts = got + 1;
    }

    /** Returns the first step that the request does not have, or one after it. */
    private int killAtEveryStep(Consumer<Host> before, String name, Request request) {
        int step = firstStep();
        while (!killAt(step, before, name, request)) {
            step += STRIDE;
        }
        return step;
    }

    private static int firstStep() {
        return 1 + ThreadLocalRandom.current().nextInt(STRIDE);
    }

    private void opened(String name) {
        try (Host host = server.host()) {
            open(host, name);
        }
    }

    private static void check(int steps, int least) {
        assertTrue(steps >= least, steps + " steps");
    }

    @Test
    void creationIsRecovered() {
        int step = firstStep();
        boolean over = false;
        while (!over) {
            String name = "t" + step;
            prompts = 0;
            over = killAt(
                    step,
                    host -> {},
                    name,
                    new Request("create_or_open_task", Host.task(name), response("create_or_open_task")));
            step += STRIDE;
        }
        check(step, 10);
    }

    @Test
    void resumptionIsRecovered() {
        opened("t");
        check(
                killAtEveryStep(
                        host -> host.stop("t"),
                        "t",
                        new Request("create_or_open_task", Host.task("t"), response("create_or_open_task"))),
                10);
    }

    @Test
    void switchIsRecovered() {
        opened("t");
        check(killAtEveryStep(host -> {}, "t", new Request("switch_task", Host.task("t"), event("task_ready"))), 3);
    }

    @Test
    void promptIsRecovered() {
        opened("t");
        check(
                killAtEveryStep(
                        host -> {}, "t", new Request("prompt", Host.message("/say once", "pr"), event("agent_end"))),
                5);
    }

    @Test
    void stopIsRecovered() {
        opened("t");
        check(killAtEveryStep(host -> {}, "t", new Request("stop_task", Host.task("t"), response("stop_task"))), 4);
    }
}
