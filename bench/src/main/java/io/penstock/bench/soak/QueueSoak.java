package io.penstock.bench.soak;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * {@code ./penstock soak queue}: thousands of tasks wait because of a small quota while the server is stopped, killed
 * and stopped again; then each must have run once, in order of arrival, or be recorded as ended by the server's end.
 */
final class QueueSoak {

    private final PrintStream out;
    private final int tasks;
    private final int running;
    private final Path folder;
    private final List<String> ids = new ArrayList<>();

    QueueSoak(PrintStream out, Path folder, int tasks, int running) {
        this.out = out;
        this.tasks = tasks;
        this.running = running;
        this.folder = folder;
    }

    private SoakedServer start() throws IOException {
        return SoakedServer.start(
                folder, List.of("--max-running", Integer.toString(running), "--max-queued", Integer.toString(tasks)));
    }

    private static JsonObject bash(String command) {
        return new JsonObject().put("tool", "bash").put("args", new JsonObject().put("command", command));
    }

    private static double seconds(long sinceNanos) {
        return (System.nanoTime() - sinceNanos) / 1e9;
    }

    void run() throws IOException, InterruptedException {
        try (SoakedServer server = start()) {
            for (int i = 0; i < running; i++) {
                server.spawn(bash("exec sleep 100000"));
            }
            long begin = System.nanoTime();
            for (int i = 0; i < tasks; i++) {
                ids.add(server.spawn(bash("echo " + i + " >> ran")));
            }
            out.printf(
                    "soak queue: %d tasks wait before a quota of %d; one caller, %.0f a second%n",
                    tasks, running, tasks / seconds(begin));
            expectWaiting(server, tasks);
            long stop = System.nanoTime();
            server.end(false);
            out.printf("soak queue: stopped in %.1f s, %d files wait%n", seconds(stop), waitingFiles());
        }
        if (lines() != 0 || waitingFiles() != tasks) {
            throw new SoakFailure(lines() + " ran and " + waitingFiles() + " wait, of " + tasks + " that had to wait");
        }
        runUntil(tasks / 3, true);
        runUntil(2 * tasks / 3, false);
        long before = lines();
        try (SoakedServer server = start()) {
            long begin = System.nanoTime();
            awaitEnds(server);
            out.printf(
                    "soak queue: ready in %d ms; the last %d ran with %.0f a second%n",
                    server.readyMs(), lines() - before, (lines() - before) / seconds(begin));
            check(server);
        }
    }

    private void runUntil(int lines, boolean kill) throws IOException, InterruptedException {
        long waiting = waitingFiles();
        long before = lines();
        try (SoakedServer server = start()) {
            // They start shortly before the server reports that it is ready.
            long begin = System.nanoTime();
            while (lines() < lines) {
                if (seconds(begin) > 600) {
                    throw new SoakFailure("only " + lines() + " have run after ten minutes");
                }
                TimeUnit.MILLISECONDS.sleep(5);
            }
            double took = seconds(begin);
            server.end(kill);
            out.printf(
                    "soak queue: ready in %d ms with %d that waited; %d ran with %.0f a second, then %s%n",
                    server.readyMs(),
                    waiting,
                    lines() - before,
                    (lines() - before) / took,
                    kill ? "kill -9" : "a stop");
        }
    }

    private static void expectWaiting(SoakedServer server, int expected) {
        String line = server.get("/metrics")
                .lines()
                .filter(each -> each.startsWith("penstock_tasks_queued "))
                .findFirst()
                .orElse("nothing of it");
        if (!line.equals("penstock_tasks_queued " + (double) expected)) {
            throw new SoakFailure("the metrics say " + line + ", and " + expected + " wait");
        }
    }

    private void awaitEnds(SoakedServer server) {
        for (String id : ids) {
            String status;
            do {
                status = new JsonObject(server.get("/tasks/" + id + "?wait=50000")).getString("phase");
            } while (!"ended".equals(status));
        }
    }

    private long lines() throws IOException {
        Path ran = folder.resolve("work").resolve("ran");
        if (Files.notExists(ran)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(ran)) {
            return lines.count();
        }
    }

    private long waitingFiles() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("data").resolve("queue"))) {
            return files.count();
        }
    }

    /** Checks that nothing is lost, duplicated or out of order, by the programs' output and by the ledger. */
    private void check(SoakedServer server) throws IOException {
        List<Integer> ran = Files.readAllLines(folder.resolve("work").resolve("ran")).stream()
                .map(Integer::valueOf)
                .toList();
        var once = new HashSet<>(ran);
        var outcomes = new TreeMap<String, Integer>();
        int startedMost = 0;
        var turns = new ArrayList<Turn>();
        for (int i = 0; i < tasks; i++) {
            String events = server.get("/tasks/" + ids.get(i) + "/events?until=end");
            int starts = occurrences(events, "\"phase\":\"running\"");
            startedMost = Math.max(startedMost, starts);
            turns.add(new Turn(i, turnMs(events, i)));
            JsonObject task = new JsonObject(server.get("/tasks/" + ids.get(i)));
            String outcome = task.getString("outcome");
            outcomes.merge(outcome, 1, Integer::sum);
            if (outcome.equals("succeeded") && (starts != 1 || !once.contains(i))) {
                throw new SoakFailure("task " + i + " has succeeded and was started " + starts + " times");
            }
        }
        int ended = outcomes.values().stream().mapToInt(Integer::intValue).sum();
        int cutOff = ended - outcomes.getOrDefault("succeeded", 0);
        turns.sort(Comparator.comparingLong(Turn::atMs).thenComparing(Turn::task));
        int overtaken = 0;
        int highest = 0;
        for (Turn turn : turns) {
            highest = Math.max(highest, turn.task());
            overtaken = Math.max(overtaken, highest - turn.task());
        }
        out.printf(
                "soak queue: %d tasks %s; %d programs wrote, %d of them twice, none was started more than %d times; no"
                        + " task had its turn after one that came more than %d later%n",
                ended, outcomes, ran.size(), ran.size() - once.size(), startedMost, overtaken);
        if (once.size() != ran.size() || startedMost > 1) {
            throw new SoakFailure("some ran twice");
        }
        if (cutOff > 2 * running) {
            throw new SoakFailure(cutOff + " did not succeed, more than ran when the server was killed and stopped");
        }
        // Turns are given in order; each is recorded by its shard, and one shard may be slower than another for a
        // moment.
        if (overtaken > 4 * running) {
            throw new SoakFailure("the order was not kept");
        }
        if (waitingFiles() != 0) {
            throw new SoakFailure(waitingFiles() + " files are left in the queue");
        }
    }

    private record Turn(int task, long atMs) {}

    private static long turnMs(String events, int task) {
        return events.lines()
                .filter(line -> line.startsWith("data: ") && line.contains("\"cause\":\"quota\""))
                .map(line -> new JsonObject(line.substring("data: ".length())).getLong("timestamp_ms"))
                .findFirst()
                .orElseThrow(() -> new SoakFailure("task " + task + " never had its turn"));
    }

    private static int occurrences(String text, String what) {
        int count = 0;
        for (int at = text.indexOf(what); at >= 0; at = text.indexOf(what, at + 1)) {
            count++;
        }
        return count;
    }
}
