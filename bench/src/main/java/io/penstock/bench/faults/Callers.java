package io.penstock.bench.faults;

import io.penstock.bench.soak.SoakFailure;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Threads that spawn tasks with keys, follow them and cancel some, whatever happens to the server. */
final class Callers {

    private static final int THREADS = 6;
    private static final int WATCHERS = 4;
    private static final long CANCEL_AFTER_MS = 1000;

    private final Calls calls;
    private final SeenFrames seen;
    private final Map<String, Work> accepted = new ConcurrentHashMap<>();
    private final Map<String, Integer> refused = new ConcurrentHashMap<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean calling = true;
    private volatile @Nullable Throwable failure;

    Callers(Calls calls, SeenFrames seen, long seed) {
        this.calls = calls;
        this.seen = seen;
        for (int i = 0; i < THREADS; i++) {
            var random = new SplittableRandom(seed + i);
            begin("caller-" + i, () -> call(random));
        }
        for (int i = 0; i < WATCHERS; i++) {
            var random = new SplittableRandom(seed - 1 - i);
            begin("watcher-" + i, () -> watch(random));
        }
    }

    private interface Action {
        void run() throws InterruptedException;
    }

    private void begin(String name, Action action) {
        threads.add(Thread.ofPlatform().name(name).start(() -> {
            try {
                while (calling) {
                    action.run();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException | Error e) {
                failure = e;
                calling = false;
            }
        }));
    }

    private void call(SplittableRandom random) throws InterruptedException {
        Work work = Work.random(random);
        HttpResponse<String> answer = calls.post("/tasks", work.key(), work.request());
        String status = Integer.toString(answer.statusCode());
        if (answer.statusCode() != 201) {
            refused.merge(status + " " + error(answer), 1, Integer::sum);
            return;
        }
        String task = new JsonObject(answer.body()).getString("task_id");
        accepted.put(task, work);
        if (work.kind() == Work.Kind.STUBBORN) {
            TimeUnit.MILLISECONDS.sleep(CANCEL_AFTER_MS);
            calls.post("/tasks/" + task + "/cancel", work.key() + "-cancel", "{}");
        }
        calls.get("/tasks/" + task + "?wait=2000");
    }

    private static String error(HttpResponse<String> answer) {
        JsonObject error = new JsonObject(answer.body()).getJsonObject("error");
        return error == null ? "" : error.getString("code");
    }

    /** Follows one of the tasks, and resumes where it was when the connection breaks. */
    private void watch(SplittableRandom random) throws InterruptedException {
        List<String> tasks = List.copyOf(accepted.keySet());
        if (tasks.isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(50);
            return;
        }
        String task = tasks.get(random.nextInt(tasks.size()));
        var next = new long[] {0};
        for (int i = 0; i < 3 && calling; i++) {
            calls.lines(
                    "/tasks/" + task + "/events?until=end&from_seq=" + next[0],
                    line -> {
                        if (line.startsWith("data: ")) {
                            JsonObject frame = new JsonObject(line.substring("data: ".length()));
                            if (frame.getLong("seq") != next[0]) {
                                throw new SoakFailure("a reader of task " + task + " was shown frame "
                                        + frame.getLong("seq") + " where " + next[0] + " is next");
                            }
                            next[0]++;
                            seen.show(task, frame);
                        }
                    },
                    () -> calling);
        }
    }

    /** Stops the calls; returns the accepted tasks. */
    Map<String, Work> stop() throws InterruptedException {
        calling = false;
        for (Thread thread : threads) {
            thread.join();
        }
        Throwable why = failure;
        if (why != null) {
            throw why instanceof SoakFailure known ? known : new SoakFailure("a caller failed: " + why, why);
        }
        return Map.copyOf(accepted);
    }

    boolean haveFailed() {
        return failure != null;
    }

    /** How often a spawn was refused permanently, by status and code. */
    Map<String, Integer> refused() {
        return refused;
    }
}
