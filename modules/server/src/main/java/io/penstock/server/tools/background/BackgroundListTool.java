package io.penstock.server.tools.background;

import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Limits;
import io.penstock.server.tools.Field;
import io.penstock.server.tools.FieldType;
import io.penstock.server.tools.FieldType.Text;
import io.penstock.server.tools.FieldType.WholeNumber;
import io.penstock.server.tools.Fields;
import io.penstock.server.tools.Tool;
import io.penstock.server.tools.ToolCall;
import io.penstock.server.tools.agents.ResultSchema;
import io.penstock.server.tools.agents.TaskToolLimits;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Lists background tasks. */
final class BackgroundListTool implements Tool {

    private static final int MOST = 100;
    private static final int USUAL = 50;

    private static final Fields PARAMETERS = Fields.of(
            Field.optional("batch_id", FieldType.id(Limits.LABEL_CHARS), "Only the tasks of this batch."),
            Field.withDefault("limit", new WholeNumber(1, MOST), USUAL, "How many tasks at most, the newest first."));

    private final TaskApi tasks;
    private final BackgroundReports reports;

    BackgroundListTool(TaskApi tasks, BackgroundReports reports) {
        this.tasks = tasks;
        this.reports = reports;
    }

    @Override
    public String name() {
        return "background_list";
    }

    @Override
    public String description() {
        return "Lists the background tasks of this session, the newest first, with status and batch. A task that was resumed"
                + " is marked as (resumed): it has a longer conversation.";
    }

    @Override
    public Fields parameters() {
        return PARAMETERS;
    }

    @Override
    public JsonObject resultSchema() {
        return new ResultSchema(Fields.of(Field.required(
                        "listing",
                        new Text(MOST * TaskToolLimits.LINE_CHARS * 2),
                        "The same as text, a line for each.")))
                .list("tasks", BackgroundReports.brief(), "The newest first.")
                .json();
    }

    @Override
    public boolean readOnly(ToolCall call) {
        return true;
    }

    @Override
    public long answerBytes(ToolCall call) {
        return call.parameters().getLong("limit") * TaskToolLimits.ENTRY_BYTES;
    }

    @Override
    public Future<JsonObject> call(ToolCall call) {
        JsonObject given = call.parameters();
        return new BackgroundTasks(tasks, call.sessionId())
                .newest(given.getString("batch_id"), given.getInteger("limit"))
                .map(found -> {
                    var entries = new JsonArray();
                    var listing = new StringBuilder();
                    found.forEach(task -> {
                        JsonObject entry = reports.brief(task);
                        entries.add(entry);
                        listing.append(line(entry)).append('\n');
                    });
                    return new JsonObject()
                            .put("listing", found.isEmpty() ? "No background tasks.\n" : listing.toString())
                            .put("tasks", entries);
                });
    }

    private static String line(JsonObject entry) {
        Long elapsed = entry.getLong("elapsed_secs");
        return entry.getString("task_id") + (entry.getInteger("resumeCount") > 0 ? " (resumed)" : "") + "  "
                + entry.getString("status") + (elapsed == null ? "" : "  " + elapsed + " s") + "  "
                + entry.getString("agent") + "  " + entry.getString("batchId") + "  " + entry.getString("description");
    }
}
