package io.penstock.bench.soak;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The second part of {@code ./penstock soak queue}: shell runs with watchers wait and run in many sessions while the server is killed again and
 * again. Then each has ended once, in its session's order, never two of a session at once, with each hit once in its frames and in the
 * mailbox, and a reader that kept its cursor has all output once.
 */
final class LaneSoak {

    private static final Pattern HIT = Pattern.compile("hit \\d+");

    /** Longer than a server under load takes to start some runs and to record some of their output. */
    private static final int LONGEST_LIFE_MS = 2_000;

    private static final int RUNS_OF_TASK = 3;
    private static final long PATIENCE_SECONDS = 600;

    /** One run, and what its reader has seen of it. */
    private static final class Run {
        final String session;
        final String id;
        final StringBuilder stdout = new StringBuilder();
        long cursor;
        int recovered;

        Run(String session, String id) {
            this.session = session;
            this.id = id;
        }
    }

    private final PrintStream out;
    private final int sessions;
    private final int runsOfSession;
    private final int kills;
    private final Random random;
    private final Path folder;
    private final List<Run> runs = new ArrayList<>();

    LaneSoak(PrintStream out, Path folder, int sessions, int runsOfSession, int kills, long seed) {
        this.out = out;
        this.sessions = sessions;
        this.runsOfSession = runsOfSession;
        this.kills = kills;
        this.random = new Random(seed);
        this.folder = folder;
    }

    void run() throws IOException, InterruptedException {
        for (int kill = 0; kill < kills; kill++) {
            try (SoakedServer server = SoakedServer.start(folder, List.of())) {
                if (kill == 0) {
                    spawnAll(server);
                    Files.createFile(folder.resolve("work").resolve("go"));
                } else if (random.nextBoolean()) {
                    readAll(server);
                }
                TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_LIFE_MS));
                server.end(true);
            }
        }
        try (SoakedServer server = SoakedServer.start(folder, List.of())) {
            awaitEnds(server);
            readAll(server);
            check(server);
        }
    }

    private void spawnAll(SoakedServer server) throws IOException {
        for (int session = 0; session < sessions; session++) {
            Files.createDirectory(folder.resolve("work").resolve("s" + session));
        }
        for (int number = 0; number < runsOfSession; number++) {
            for (int session = 0; session < sessions; session++) {
                String name = "s" + session;
                JsonObject spawned = shell(
                        server,
                        new JsonObject()
                                .put("action", "spawn")
                                .put("session_id", name)
                                .put("command", command(name, number))
                                .put(
                                        "watch",
                                        new JsonArray()
                                                .add(new JsonObject()
                                                        .put("regex", HIT.pattern())
                                                        .put("event", "hit"))));
                runs.add(new Run(name, spawned.getString("run_id")));
            }
        }
    }

    private static JsonObject shell(SoakedServer server, JsonObject call) {
        return new JsonObject(server.post("/tools/shell", call));
    }

    /**
     * Notes whether the program of the session before this one is alive, then that this one has run, and prints five lines once all runs are
     * spawned.
     */
    private static String command(String session, int number) {
        return """
                cd %s
                if [ -e pid ]; then
                  read -r pid began < pid
                  set -- $(cat /proc/$pid/stat 2>/dev/null)
                  if [ $# -gt 21 ] && [ "$3" != Z ] && [ "${22}" = "$began" ]; then echo "$pid and $$" >> overlaps; fi
                fi
                echo "$$ $(cut -d' ' -f22 /proc/$$/stat)" > pid
                echo %d >> ran
                until [ -e ../go ]; do sleep 0.05; done
                for i in 1 2 3 4 5; do echo "hit $i of run %d"; sleep 0.05; done
                """.formatted(session, number, number);
    }

    /** As a client that remembers next_seq across the restarts. */
    private void readAll(SoakedServer server) {
        for (Run run : runs) {
            long before;
            do {
                before = run.cursor;
                JsonObject page = shell(
                        server,
                        new JsonObject()
                                .put("action", "log")
                                .put("run_id", run.id)
                                .put("since_seq", run.cursor));
                for (Object each : page.getJsonArray("items")) {
                    var item = (JsonObject) each;
                    if (item.getLong("seq") <= run.cursor) {
                        throw new SoakFailure("the run " + run.id + " answered " + item + " after " + run.cursor);
                    }
                    if ("recovered".equals(item.getJsonObject("meta_json").getString("kind"))) {
                        run.recovered++;
                    }
                    if (item.getString("type").equals("stdout")) {
                        run.stdout.append(item.getString("payload"));
                    }
                }
                run.cursor = page.getLong("next_seq");
            } while (run.cursor > before);
        }
    }

    private void awaitEnds(SoakedServer server) {
        long begin = System.nanoTime();
        for (Run run : runs) {
            while (!"ended".equals(new JsonObject(server.get("/tasks/" + run.id + "?wait=50000")).getString("phase"))) {
                if (TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin) > PATIENCE_SECONDS) {
                    throw new SoakFailure("the run " + run.id + " does not end");
                }
            }
        }
    }

    private void check(SoakedServer server) throws IOException {
        for (int session = 0; session < sessions; session++) {
            checkOrder("s" + session);
        }
        var outcomes = new TreeMap<String, Integer>();
        int again = 0;
        int hits = 0;
        for (int session = 0; session < sessions; session++) {
            String name = "s" + session;
            List<JsonObject> frames = framesWithEnds(server, name);
            for (Run run : runs) {
                if (run.session.equals(name)) {
                    var checked = new CheckedRun(run.id, frames(server.get("/tasks/" + run.id + "/events?until=end")));
                    outcomes.merge(checked.outcome(), 1, Integer::sum);
                    if (run.recovered != checked.runs() - 1) {
                        throw new SoakFailure(
                                "the items of " + run.id + " say " + run.recovered + " times that it runs again");
                    }
                    again += run.recovered;
                    hits += checked.checkHits(run.stdout.toString(), frames);
                    checkOutput(server, run);
                }
            }
        }
        out.printf(
                "soak queue: %d shell runs in %d sessions and %d times kill -9: %s, %d run again, %d hits; each ended"
                        + " once, in order, one at a time, every hit once in frames and mailbox%n",
                runs.size(), sessions, kills, outcomes, again, hits);
    }

    /** The frames of a session once it has the ends of its runs, which it records after them. */
    private List<JsonObject> framesWithEnds(SoakedServer server, String session) {
        long begin = System.nanoTime();
        while (true) {
            List<JsonObject> frames = frames(server.get("/sessions/" + session + "/events?until=now"));
            if (ended(frames).count() >= runsOfSession) {
                return frames;
            }
            if (TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin) > PATIENCE_SECONDS) {
                throw new SoakFailure(
                        "the mailbox of " + session + " has " + ended(frames).count() + " ends of " + runsOfSession);
            }
        }
    }

    private static Stream<JsonObject> ended(List<JsonObject> session) {
        return session.stream().filter(frame -> "tool_ended".equals(frame.getString("type")));
    }

    private static List<JsonObject> frames(String events) {
        return events.lines()
                .filter(line -> line.startsWith("data: "))
                .map(line -> new JsonObject(line.substring("data: ".length())))
                .toList();
    }

    private static void checkOutput(SoakedServer server, Run run) {
        String output = new JsonObject(server.get("/tasks/" + run.id + "/output?stream=stdout")).getString("content");
        if (!run.stdout.toString().equals(output)) {
            throw new SoakFailure("the run " + run.id + " wrote " + output + ", and its reader has " + run.stdout);
        }
    }

    private void checkOrder(String session) throws IOException {
        Path work = folder.resolve("work").resolve(session);
        if (Files.exists(work.resolve("overlaps"))) {
            throw new SoakFailure("two runs at once in " + session + ": " + Files.readString(work.resolve("overlaps")));
        }
        List<Integer> ran = Files.readAllLines(work.resolve("ran")).stream()
                .map(Integer::valueOf)
                .toList();
        for (int i = 1; i < ran.size(); i++) {
            if (ran.get(i) < ran.get(i - 1)) {
                throw new SoakFailure("the order of " + session + " was not kept: " + ran);
            }
        }
    }

    /** The frames of one run, with exactly one end. */
    private record CheckedRun(String id, List<JsonObject> frames) {

        CheckedRun {
            long ends = frames.stream()
                    .filter(frame -> "ended".equals(frame.getString("phase")))
                    .count();
            if (ends != 1 || !"ended".equals(frames.getLast().getString("phase"))) {
                throw new SoakFailure("the run " + id + " has " + ends + " ends");
            }
        }

        private long count(String type) {
            return frames.stream()
                    .filter(frame -> type.equals(frame.getString("type")))
                    .count();
        }

        int runs() {
            return (int) count("task_run_started") + 1;
        }

        String outcome() {
            String outcome = frames.getLast().getString("outcome");
            long started = frames.stream()
                    .filter(frame -> "running".equals(frame.getString("phase")))
                    .count();
            boolean right = outcome.equals("succeeded") || outcome.equals("lost") && runs() == RUNS_OF_TASK;
            if (!right || started > RUNS_OF_TASK) {
                throw new SoakFailure("the run " + id + " is " + outcome + " after " + started + " starts: "
                        + frames.getLast().encode());
            }
            return outcome;
        }

        /** Returns their number. */
        int checkHits(String output, List<JsonObject> session) {
            var expected = new HashSet<Long>();
            for (Matcher match = HIT.matcher(output); match.find(); ) {
                expected.add((long) match.start());
            }
            List<JsonObject> hits = frames.stream()
                    .filter(frame -> "task_watcher_hit".equals(frame.getString("type")))
                    .toList();
            List<Long> found =
                    hits.stream().map(hit -> hit.getLong("offset_bytes")).toList();
            if (found.size() != expected.size() || !expected.equals(new HashSet<>(found))) {
                throw new SoakFailure("the run " + id + " has hits at " + found + " in " + output);
            }
            List<Long> mailed = ofTask(session, "session_watcher_hit")
                    .map(item -> item.getLong("task_seq"))
                    .toList();
            if (!mailed.equals(hits.stream().map(hit -> hit.getLong("seq")).toList())) {
                throw new SoakFailure("the run " + id + " has other hits in the mailbox: " + mailed);
            }
            long ends = ended(session)
                    .filter(item -> id.equals(item.getString("task_id")))
                    .count();
            if (ends != 1) {
                throw new SoakFailure("the mailbox has " + ends + " ends of " + id);
            }
            return found.size();
        }

        private Stream<JsonObject> ofTask(List<JsonObject> session, String type) {
            return session.stream()
                    .filter(frame -> type.equals(frame.getString("type")) && id.equals(frame.getString("task_id")));
        }
    }
}
