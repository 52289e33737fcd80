package io.penstock.engine.pump;

import static io.penstock.testbed.Await.await;

import com.fasterxml.jackson.core.JsonFactory;
import io.penstock.engine.agent.AgentProfile;
import io.penstock.engine.agent.AgentProfiles;
import io.penstock.engine.agent.TurnRates;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.session.Quotas;
import io.penstock.frames.Actor;
import io.penstock.frames.AgentSpec;
import io.penstock.frames.AgentSpec.AfterTurn;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskAgentMessage;
import io.penstock.frames.TaskLinks;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskTurnSettled;
import io.penstock.frames.ToolTaskStatus;
import io.penstock.sample.SampleAgent;
import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An engine that runs the sample agent. */
final class AgentTestBed implements AutoCloseable {

    static final Actor ALICE = Actor.user("alice");
    static final Duration MINUTE = Duration.ofMinutes(1);

    final RunningEngine engine;

    AgentTestBed(Path folder) {
        this(folder, () -> Policy.LOCAL, Quotas.DEFAULT);
    }

    AgentTestBed(Path folder, Supplier<Policy> policy, Quotas quotas) {
        this(folder, policy, quotas, List.of());
    }

    private AgentTestBed(Path folder, Supplier<Policy> policy, Quotas quotas, List<String> before) {
        engine = new RunningEngine(folder, policy, quotas, AgentProfiles.of(List.of(sample(folder, before)), "sample"));
    }

    /** The agent opens no conversation before the file {@code go} is in the folder. */
    static AgentTestBed gated(Path folder) {
        String gate = "until [ -e go ]; do sleep 0.01; done; exec \"$@\"";
        return new AgentTestBed(folder, () -> Policy.LOCAL, Quotas.DEFAULT, List.of("sh", "-c", gate, "gate"));
    }

    AgentTestBed(Path folder, TurnRates rates) {
        var profiles = new AgentProfiles(Map.of("sample", sample(folder, List.of())), "sample", rates);
        engine = new RunningEngine(folder, () -> Policy.LOCAL, Quotas.DEFAULT, profiles);
    }

    /** @param before the words of a program that starts it */
    private static AgentProfile sample(Path folder, List<String> before) {
        List<String> agent = List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                classPath(),
                "io.penstock.sample.SampleAgent",
                "--sessions",
                folder.resolve("conversations").toString());
        return new AgentProfile(
                "sample",
                AgentSpec.Protocol.ACP,
                Stream.concat(before.stream(), agent.stream()).toList(),
                Map.of(),
                Map.of(),
                Map.of(),
                List.of(),
                List.of());
    }

    /** Of the sample agent and of what it needs. */
    private static String classPath() {
        return Stream.of(SampleAgent.class, JsonFactory.class)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .map(place -> Path.of(URI.create(place.toString())).toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    String spawn(@Nullable String prompt) {
        return spawn(prompt, AfterTurn.END, null, null);
    }

    String spawn(@Nullable String prompt, AfterTurn after, @Nullable String parent, TaskLinks.@Nullable Wake wake) {
        int depth = parent == null ? 0 : depth(parent) + 1;
        var links = new TaskLinks(parent, depth, null, true, wake);
        return await(engine.agents.spawn(new AgentRequest(
                "agent", "cli", prompt, null, null, null, null, after, null, null, null, links, MINUTE, ALICE)));
    }

    private int depth(String taskId) {
        TaskLinks links = Objects.requireNonNull(state(taskId).spec()).links();
        return links == null ? 0 : links.depth();
    }

    TaskState state(String taskId) {
        return await(engine.tasks.state(taskId));
    }

    /** The state at the end of the run with this number. */
    TaskState ended(String taskId, int run) {
        return await(engine.tasks
                .awaitState(
                        taskId,
                        state -> state.phase() == Phase.ENDED && state.run().number() == run,
                        30_000)
                .state());
    }

    TaskState ended(String taskId) {
        return ended(taskId, 1);
    }

    /** All frames up to the first one that matches. */
    List<Frame> until(String taskId, Predicate<FrameBody> last) {
        return engine.until(taskId, frame -> last.test(frame.body()));
    }

    List<Frame> all(String taskId) {
        TaskState state = state(taskId);
        return engine.until(taskId, frame -> frame.seq() == state.nextSeq() - 1);
    }

    /** What the agent has said, in all turns. */
    String said(String taskId) {
        return all(taskId).stream()
                .map(Frame::body)
                .filter(TaskAgentMessage.class::isInstance)
                .map(body -> ((TaskAgentMessage) body).text())
                .collect(Collectors.joining("|"));
    }

    static Predicate<FrameBody> saying(String text) {
        return body ->
                body instanceof TaskAgentMessage message && message.text().contains(text);
    }

    static Predicate<FrameBody> settled(int turn) {
        return body -> body instanceof TaskTurnSettled settled && settled.turn() == turn;
    }

    static Predicate<FrameBody> asking() {
        return body -> body instanceof ToolTaskStatus status && status.phase() == Phase.AWAITING_INPUT;
    }

    @Override
    public void close() {
        engine.close();
    }
}
