package io.penstock.bench.fetch;

import io.penstock.bench.load.LoadedServer;
import io.penstock.bench.log.Machine;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientWebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Prints how long it takes until a late joiner has the complete screen of a terminal that has written much, over HTTP and by attaching. */
public final class JoinFigures {

    private static final int TIMES = 300;
    private static final int WARM_TIMES = 300;

    /** What somebody might see of it: a screen and some scrollback, as the page of the web client asks for. */
    private static final int SCROLLBACK = 1000;

    private record Output(String name, String command) {}

    private final LoadedServer server;
    private final TasksOverHttp tasks;
    private final FetchOptions options;
    private final WebSocketClient sockets;

    private JoinFigures(LoadedServer server, FetchOptions options, Vertx vertx) {
        this.server = server;
        this.tasks = new TasksOverHttp(server);
        this.options = options;
        this.sockets = vertx.createWebSocketClient(new WebSocketClientOptions().setMaxMessageSize(1 << 20));
    }

    public static void run(List<String> arguments) throws IOException, InterruptedException {
        FetchOptions options = FetchOptions.of(arguments, 100_000_000, 1, 2);
        long bytes = options.bytes();
        var outputs = List.of(
                new Output("seq", "seq 100000000 | head -c " + bytes),
                new Output(
                        "coloured log",
                        "yes \"$(printf '\\033[32mINFO\\033[0m a line of \\033[1;34msome\\033[0m log')\" | head -c "
                                + bytes));
        Vertx vertx = Vertx.vertx();
        try (LoadedServer server = LoadedServer.start()) {
            System.out.println(Machine.now());
            System.out.printf(Locale.ROOT, """

                    A late joiner of a terminal that has written %,d bytes and still runs: milliseconds from the request to the complete screen,
                    with %d lines above it. Server CPU is what the flood cost until the screen was there, all of it.

                    output        MB/s   server CPU s/GB   first join   GET p50    p99   attach p50    p99   server CPU ms a join
                    """, bytes, SCROLLBACK);
            var figures = new JoinFigures(server, options, vertx);
            for (int round = 0; round < options.rounds(); round++) {
                for (Output output : outputs) {
                    figures.measure(output);
                }
            }
            System.out.println();
            System.out.println(Machine.now());
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    private void measure(Output output) throws IOException, InterruptedException {
        long cpu = server.cpuNanos();
        long begun = System.nanoTime();
        String task = tasks.beginInTerminal(output.command() + "; sleep 3600");
        while (tasks.terminalBytes(task) < options.bytes()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        double first = screen(task);
        double floodCpu = (server.cpuNanos() - cpu) / 1e9;
        for (int i = 0; i < WARM_TIMES; i++) {
            screen(task);
            attach(task);
        }
        cpu = server.cpuNanos();
        var got = new double[TIMES];
        var attached = new double[TIMES];
        for (int i = 0; i < TIMES; i++) {
            got[i] = screen(task);
            long asked = System.nanoTime();
            attach(task);
            attached[i] = (System.nanoTime() - asked) / 1e6;
        }
        double joinCpu = (server.cpuNanos() - cpu) / 1e6 / (2 * TIMES);
        System.out.printf(
                Locale.ROOT,
                "%-12s %5.0f %17.1f %12.2f %9.2f %6.2f %12.2f %6.2f %12.2f%n",
                output.name(),
                options.bytes() / seconds / 1e6,
                floodCpu / options.bytes() * 1e9,
                first,
                at(got, 0.5),
                at(got, 0.99),
                at(attached, 0.5),
                at(attached, 0.99),
                joinCpu);
        tasks.stop(task);
    }

    private double screen(String task) throws IOException, InterruptedException {
        long asked = System.nanoTime();
        tasks.screen(task, SCROLLBACK);
        return (System.nanoTime() - asked) / 1e6;
    }

    /** Attaches as the page of the web client does, and waits until all of the screen has come and what follows is live. */
    private void attach(String task) {
        var caughtUp = new CompletableFuture<@Nullable Void>();
        var request = new WebSocketConnectOptions()
                .setHost(server.address().getHost())
                .setPort(server.address().getPort())
                .setURI("/tasks/" + task + "/attach?rights=view&screen=" + SCROLLBACK)
                .addHeader("authorization", "Bearer " + server.token())
                .addSubProtocol("penstock.v1.binary");
        ClientWebSocket socket = sockets.webSocket();
        socket.handler(message -> {
            if (message.toString(StandardCharsets.ISO_8859_1).contains("\"attach_caught_up\"")) {
                caughtUp.complete(null);
            }
        });
        socket.exceptionHandler(caughtUp::completeExceptionally);
        socket.connect(request).onFailure(caughtUp::completeExceptionally);
        caughtUp.orTimeout(60, TimeUnit.SECONDS).join();
        socket.close();
    }

    private static double at(double[] times, double part) {
        double[] sorted = times.clone();
        Arrays.sort(sorted);
        return sorted[(int) Math.ceil(part * sorted.length) - 1];
    }
}
