package io.penstock.bench.attach;

import io.penstock.bench.fetch.TasksOverHttp;
import io.penstock.bench.load.LoadedServer;
import io.penstock.bench.soak.SoakFailure;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Viewers that reconnect after they leave or are cut off: each sees all output once, and each operation is done once.
 */
final class ReconnectingViewers {

    /** Unanswered inputs: as many may wait for a program that reads slowly, and one more is refused. */
    private static final int MAX_UNANSWERED = 16;

    /**
     * After at most this many bytes a connection is cut; a message has at most 64 KiB, so every second connection makes
     * progress.
     */
    private static final int CUT_BYTES = 128 << 10;

    private final LoadedServer server;
    private final TasksOverHttp tasks;
    private final long seed;

    ReconnectingViewers(LoadedServer server, long seed) {
        this.server = server;
        this.tasks = new TasksOverHttp(server);
        this.seed = seed;
    }

    /** All viewers leave and reconnect repeatedly while the task writes a hundred lines every tenth of a second. */
    void storm(PrintStream out, int viewers, int tenths) throws IOException, InterruptedException {
        String task = tasks.begin(
                "for i in {1.." + tenths + "}; do for k in {1..100}; do echo line $i $k; done; sleep 0.1; done",
                "pipes");
        String expected = IntStream.rangeClosed(1, tenths)
                .boxed()
                .flatMap(i -> IntStream.rangeClosed(1, 100).mapToObj(k -> "line " + i + " " + k + "\n"))
                .collect(Collectors.joining());
        var cuts = new AtomicInteger();
        var seen = new ArrayList<Future<JsonViewer>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < viewers; i++) {
                var viewer = new JsonViewer("storm-" + i, task, server.token());
                var random = new Random(seed + i);
                seen.add(threads.submit(() -> restless(viewer, random, cuts)));
            }
        }
        long frames = 0;
        for (JsonViewer viewer : results(seen)) {
            frames = Math.max(frames, viewer.nextSeq());
            if (!viewer.hasSeen(expected)) {
                throw new SoakFailure("a viewer saw " + viewer.outputBytes() + " bytes, and " + expected.length()
                        + " were written; or others");
            }
        }
        for (JsonViewer viewer : results(seen)) {
            if (viewer.nextSeq() != frames) {
                throw new SoakFailure("a viewer saw " + viewer.nextSeq() + " frames, and another " + frames);
            }
        }
        out.printf(
                "%d viewers came back %,d times, and each saw all %,d frames once (seed %d)%n",
                viewers, cuts.get(), frames, seed);
    }

    private JsonViewer restless(JsonViewer viewer, Random random, AtomicInteger cuts) throws IOException {
        while (!viewer.hasEnded()) {
            viewer.attach(server.address());
            for (int left = 2 + random.nextInt(12); left > 0 && !viewer.hasEnded(); left--) {
                viewer.read();
            }
            if (!viewer.hasEnded()) {
                viewer.cutOff();
                cuts.incrementAndGet();
            }
        }
        return viewer;
    }

    private static List<JsonViewer> results(List<Future<JsonViewer>> futures) throws InterruptedException {
        var results = new ArrayList<JsonViewer>();
        for (Future<JsonViewer> future : futures) {
            try {
                results.add(future.get());
            } catch (ExecutionException e) {
                throw e.getCause() instanceof SoakFailure failure ? failure : new SoakFailure("a viewer failed", e);
            }
        }
        return results;
    }

    /** A viewer types lines through a proxy that cuts the connection at random; the program echoes them. */
    void cut(PrintStream out, int lines) throws IOException, InterruptedException {
        String task = tasks.begin("stty raw -echo; echo ready; exec cat", "pty");
        var viewer = new JsonViewer("typist", task, server.token());
        var expected = new StringBuilder("ready\n");
        int typed = 0;
        try (var relay = new CuttingRelay(server.address(), seed, CUT_BYTES)) {
            while (typed < lines || viewer.unanswered() > 0 || viewer.outputBytes() < expected.length()) {
                try {
                    viewer.attach(relay.address());
                    while (typed < lines || viewer.unanswered() > 0 || viewer.outputBytes() < expected.length()) {
                        // Waits for the program, which turns off the terminal's echo.
                        boolean more =
                                viewer.outputBytes() > 0 && typed < lines && viewer.unanswered() < MAX_UNANSWERED;
                        if (more) {
                            typed++;
                            expected.append(typed).append('\n');
                            viewer.type(typed + "\n");
                        } else {
                            viewer.read();
                        }
                    }
                } catch (IOException e) {
                    // Cut off: the viewer reconnects where it was, and repeats the unanswered inputs.
                    viewer.cutOff();
                }
            }
            out.printf(
                    "one who was cut off %d times while typing %,d lines did each of them once and saw all of it once, %,d frames"
                            + " (seed %d)%n",
                    relay.cuts(), lines, viewer.nextSeq(), seed);
        } finally {
            tasks.cancel(task);
        }
        if (!viewer.hasSeen(expected.toString())) {
            throw new SoakFailure(
                    "it saw " + viewer.outputBytes() + " bytes, and " + expected.length() + " were typed; or others");
        }
    }
}
