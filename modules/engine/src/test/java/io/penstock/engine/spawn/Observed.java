package io.penstock.engine.spawn;

import io.penstock.frames.Channel;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A program under observation: collects its output and calls its methods on the owner's context. */
final class Observed implements RunningProcess.Listener {
    private static final long PATIENCE_SECONDS = 20;

    final RunningProcess process;
    final CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    private final Context owner;
    private final Map<Channel, ByteArrayOutputStream> outputs = new ConcurrentHashMap<>();
    private final Map<Channel, CompletableFuture<Channel>> ends = new ConcurrentHashMap<>();
    private volatile boolean endsInOrder = true;

    Observed(RunningProcess process, Context owner) {
        this.process = process;
        this.owner = owner;
        for (Channel channel : Channel.values()) {
            outputs.put(channel, new ByteArrayOutputStream());
            ends.put(channel, new CompletableFuture<>());
        }
        on(it -> it.attach(owner, this));
    }

    @Override
    public void output(Channel channel, ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        endsInOrder &= !closedFuture(channel).isDone();
        ByteArrayOutputStream output = of(channel);
        synchronized (output) {
            output.writeBytes(copy);
            output.notifyAll();
        }
    }

    @Override
    public void closed(Channel channel) {
        endsInOrder &= closedFuture(channel).complete(channel);
    }

    @Override
    public void exited(ProcessExit how) {
        endsInOrder &= exit.complete(how);
    }

    /** Whether each end was reported once, with no output after it. */
    boolean endsInOrder() {
        return endsInOrder;
    }

    CompletableFuture<Channel> closedFuture(Channel channel) {
        return known(ends, channel);
    }

    ProcessExit awaitExit() {
        return await(exit);
    }

    int awaitCode() {
        return switch (awaitExit()) {
            case ProcessExit.Exited exited -> exited.code();
            case ProcessExit.Killed killed -> 128 + killed.signal();
            case ProcessExit.Unseen unseen -> throw new AssertionError(unseen.why());
        };
    }

    /** All output of a channel, once it is closed. */
    byte[] all(Channel channel) {
        await(closedFuture(channel));
        return soFar(channel);
    }

    String text(Channel channel) {
        return new String(all(channel), StandardCharsets.UTF_8);
    }

    byte[] soFar(Channel channel) {
        ByteArrayOutputStream output = of(channel);
        synchronized (output) {
            return output.toByteArray();
        }
    }

    /** Waits until a channel contains this text. */
    String awaitText(Channel channel, String awaited) {
        ByteArrayOutputStream output = of(channel);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        synchronized (output) {
            while (true) {
                String text = output.toString(StandardCharsets.UTF_8);
                if (text.contains(awaited)) {
                    return text;
                }
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (left <= 0) {
                    throw new AssertionError("waited for \"" + awaited + "\" but got \"" + text + "\"");
                }
                try {
                    output.wait(left);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }

    <T> T ask(Callable<T> question) {
        var answer = new CompletableFuture<T>();
        owner.runOnContext(nothing -> {
            try {
                answer.complete(question.call());
            } catch (Exception | Error e) {
                answer.completeExceptionally(e);
            }
        });
        return await(answer);
    }

    void on(Consumer<RunningProcess> action) {
        ask(() -> {
            action.accept(process);
            return true;
        });
    }

    Future<Boolean> write(String text) {
        return ask(() -> process.write(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns whether the terminal echoed it. */
    boolean awaitWrite(String text) {
        return await(write(text).toCompletionStage().toCompletableFuture());
    }

    /** Waits for exit and outputs to end, and closes the process. */
    void finish() {
        awaitExit();
        on(RunningProcess::close);
    }

    static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new AssertionError(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("the result did not arrive", e);
        }
    }

    private ByteArrayOutputStream of(Channel channel) {
        return known(outputs, channel);
    }

    private static <T> T known(Map<Channel, T> map, Channel channel) {
        T value = map.get(channel);
        if (value == null) {
            throw new AssertionError(channel);
        }
        return value;
    }
}
