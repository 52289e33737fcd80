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

/** Viewers who are cut off and come back, by themselves or by what lies between: each sees all of it once, and does all of it once. */
final class ComingBack {

    /** Sent and not answered: as many may wait for a program that is slow to read, and one more is refused. */
    private static final int UNDER_WAY = 16;

    /** After which a connection is cut at the latest; a message has 64 KiB at most, so each other connection gets somewhere. */
    private static final int CUT_BYTES = 128 << 10;

    private final LoadedServer server;
    private final TasksOverHttp tasks;
    private final long seed;

    ComingBack(LoadedServer server, long seed) {
        this.server = server;
        this.tasks = new TasksOverHttp(server);
        this.seed = seed;
    }

    /** All of them cut off and come back again and again while the task writes a hundred lines each tenth of a second. */
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

    /** One types lines through a proxy that cuts the connection at random; the program sends back what it is typed. */
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
                        // Not before the program is there, whose terminal is no echo then.
                        boolean more = viewer.outputBytes() > 0 && typed < lines && viewer.unanswered() < UNDER_WAY;
                        if (more) {
                            typed++;
                            expected.append(typed).append('\n');
                            viewer.type(typed + "\n");
                        } else {
                            viewer.read();
                        }
                    }
                } catch (IOException e) {
                    // Cut off: it comes back where it is, and sends again what was not answered.
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
