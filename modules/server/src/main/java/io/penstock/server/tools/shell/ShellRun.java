package io.penstock.server.tools.shell;

import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.view.DeltaReader;
import io.penstock.engine.view.InlineText;
import io.penstock.frames.Channel;
import io.penstock.frames.Ending;
import io.penstock.frames.RunState;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One run of a command as the contract shows it, at one moment. */
record ShellRun(Vertx vertx, TaskApi tasks, String runId, TaskState state, RunOutputCap cap) {

    /** A page of items, and the cursor after all that was looked at. */
    record Items(List<ShellItem> items, long nextSeq) {

        JsonArray toJson() {
            var array = new JsonArray();
            items.forEach(item -> array.add(item.toJson()));
            return array;
        }
    }

    static Future<ShellRun> of(Vertx vertx, TaskApi tasks, String runId, TaskState state) {
        Long kept = spec(state).artifactMaxBytes();
        return RunOutputCap.find(tasks, runId, state, kept == null ? ShellLimits.OUTPUT_BYTES : kept)
                .map(cap -> new ShellRun(vertx, tasks, runId, state, cap));
    }

    private static ToolTaskSpawned spec(TaskState state) {
        return Objects.requireNonNull(state.spec(), "a refused spawn has no run");
    }

    boolean isOver() {
        return state.run().ending() != null;
    }

    /**
     * The items after {@code sinceSeq}, in order.
     *
     * @param channel only the items of this output; null for all
     */
    Future<Items> items(long sinceSeq, int limit, @Nullable Channel channel) {
        return new ItemPage(this, sinceSeq, limit, channel).read();
    }

    /** The newest output below the cap, stdout and stderr as they came; empty if it was removed. */
    Future<String> snippet() {
        return tasks.snippet(runId, spec(state), Math.min(state.nextSeq(), cap.frame()))
                .map(snippet -> snippet == null ? "" : snippet);
    }

    /** The first characters of an output; empty if the run has no such output. */
    Future<String> text(Channel channel) {
        if (!spec(state).executionMode().channels().contains(channel)) {
            return Future.succeededFuture("");
        }
        int most = (int) Math.min(cap.bytes(), ShellLimits.OUTPUT_CHARS);
        return tasks.output(runId, state, channel, 0, most)
                .map(slice -> slice.text().text());
    }

    /** Whether {@link #text} of an output leaves out some that the cap does not. */
    boolean isShortened() {
        return spec(state).executionMode().channels().stream()
                .anyMatch(channel -> Math.min(cap.bytes(), state.output().total(channel)) > ShellLimits.OUTPUT_CHARS);
    }

    /** The channel of the program's regular output. */
    Channel output() {
        return spec(state).executionMode().channels().getFirst();
    }

    /** When it was accepted, and when its newest event happened. */
    Future<JsonObject> times() {
        return tasks.frames(runId, 0, 1)
                .compose(first -> tasks.frames(runId, state.nextSeq() - 1, 1)
                        .map(last -> new JsonObject()
                                .put("queued_at", time(first.frames().getFirst().timestampMs()))
                                .put("updated_at", time(last.frames().getFirst().timestampMs()))));
    }

    DeltaReader reader() {
        DeltaReader text = tasks.deltaReader(InlineText.FULL, false);
        text.spec(spec(state));
        return text;
    }

    <T> Future<T> onWorker(Reading<T> reading) {
        return vertx.executeBlocking(reading::read, false).map(Objects::requireNonNull);
    }

    interface Reading<T> {
        T read() throws IOException;
    }

    /** The answer of poll, without snippet and items. */
    JsonObject toJson() {
        RunState run = state.run();
        Ending ending = run.ending();
        ToolTaskSpawned spec = spec(state);
        return new JsonObject()
                .put("run_id", runId)
                .put("session_id", spec.originSessionId())
                .put("status", ShellStatus.of(state.phase(), ending == null ? null : ending.outcome(), false))
                .put("command", new JsonObject(spec.args().text()).getString("command"))
                .put("exit_code", ending == null ? null : ending.exitCode())
                .put(
                        "output_bytes",
                        state.output().stdoutTotal()
                                + state.output().stderrTotal()
                                + state.output().ptyTotal())
                .put("truncated", cap.frame() != RunOutputCap.NONE)
                .put("error_message", run.error())
                .put("started_at", time(run.startedAtMs()))
                .put("finished_at", time(run.endedAtMs()));
    }

    static @Nullable String time(@Nullable Long ms) {
        return ms == null ? null : Instant.ofEpochMilli(ms).toString();
    }
}
