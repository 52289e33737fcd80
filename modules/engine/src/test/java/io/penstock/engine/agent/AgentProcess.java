package io.penstock.engine.agent;

import io.penstock.engine.agent.AgentEvent.Opened;
import io.penstock.engine.agent.AgentEvent.Said;
import io.penstock.engine.agent.AgentEvent.Settled;
import io.penstock.engine.agent.AgentEvent.ToolCall;
import io.penstock.frames.TaskAgentMessage.Role;
import io.penstock.testbed.RealAgents.RealAgent;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A real agent program on pipes, and the conversation with it. The protocol is used by one thread at a time: under its lock. */
final class AgentProcess implements AgentProtocol.Listener, AutoCloseable {

    private static final int PATIENCE_SECONDS = 120;

    private final Process process;
    private final AgentProtocol protocol;
    private final BlockingQueue<AgentEvent> unseen = new LinkedBlockingQueue<>();
    private final List<AgentEvent> seen = new CopyOnWriteArrayList<>();

    AgentProcess(RealAgent program, Path folder, Function<AgentProtocol.Listener, AgentProtocol> language) {
        protocol = language.apply(this);
        var builder = new ProcessBuilder(program.command()).directory(folder.toFile());
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().keySet().removeIf(name -> !name.equals("PATH"));
        builder.environment().putAll(program.environment());
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::read);
    }

    /** Opens or loads the conversation. */
    Opened open(Path folder, @Nullable String sessionId) {
        wish(agent -> agent.open(folder.toString(), sessionId));
        return await(Opened.class);
    }

    void wish(Consumer<AgentProtocol> wish) {
        synchronized (protocol) {
            wish.accept(protocol);
        }
    }

    /** Starts a turn and waits for its end. */
    Settled turn(String prompt) {
        wish(agent -> agent.prompt(prompt));
        return await(Settled.class);
    }

    /** The next event of this kind; those before it have been seen. */
    <T extends AgentEvent> T await(Class<T> kind) {
        try {
            while (true) {
                AgentEvent event = unseen.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
                if (event == null) {
                    throw new AssertionError("no " + kind.getSimpleName() + " after " + seen);
                }
                seen.add(event);
                if (kind.isInstance(event)) {
                    return kind.cast(event);
                }
                if (event instanceof AgentEvent.Broken broken) {
                    throw new AssertionError(broken.reason());
                }
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    <T extends AgentEvent> List<T> seen(Class<T> kind) {
        return seen.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** All that the agent has said. */
    String said() {
        return seen(Said.class).stream()
                .filter(part -> part.role() == Role.ASSISTANT)
                .map(Said::text)
                .collect(Collectors.joining());
    }

    /** The output of all tool calls. */
    String output() {
        return seen(ToolCall.class).stream()
                .map(ToolCall::output)
                .filter(Objects::nonNull)
                .collect(Collectors.joining());
    }

    @Override
    public void send(byte[] lines) {
        try {
            process.getOutputStream().write(lines);
            process.getOutputStream().flush();
        } catch (IOException e) {
            // The program has ended, which its output tells.
        }
    }

    @Override
    public void happened(AgentEvent event) {
        unseen.add(event);
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Kills the program during whatever it does. */
    void kill() {
        process.destroyForcibly();
    }

    private void read() {
        byte[] buffer = new byte[4096];
        try (InputStream output = process.getInputStream()) {
            for (int size; (size = output.read(buffer)) >= 0; ) {
                int read = size;
                wish(agent -> agent.read(ByteBuffer.wrap(buffer, 0, read)));
            }
        } catch (IOException e) {
            // The test has closed the program.
        }
        wish(AgentProtocol::ended);
    }
}
