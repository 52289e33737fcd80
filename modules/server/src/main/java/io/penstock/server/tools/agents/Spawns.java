package io.penstock.server.tools.agents;

import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskLinks;
import io.penstock.frames.TaskLinks.Wake;
import io.penstock.server.request.RequestFields;
import io.penstock.server.tools.Field;
import io.penstock.server.tools.FieldType;
import io.penstock.server.tools.FieldType.Text;
import io.penstock.server.tools.FieldType.Word;
import io.penstock.server.tools.ModelText;
import io.penstock.server.tools.ToolCall;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The checks of a spawn, whichever tool it comes from. */
public final class Spawns {

    public static final Field MODEL =
            Field.optional("model", new Text(Limits.LABEL_CHARS), "Another model than the agent's usual one.");

    public static final Field THINKING = Field.optional(
            "thinking", new Word(List.of("off", "low", "medium", "high")), "The agent's level of thinking.");

    public static final Field CWD =
            Field.optional("cwd", new Text(Limits.TEXT_CHARS), "The folder to work in, relative to the workspace.");

    public static final Field PARENT = Field.optional(
            "parent_task_id",
            FieldType.id(Limits.STREAM_ID_CHARS),
            "The task that starts this one: stopping it stops this one too.");

    /** One line of a list. */
    private static final int TITLE_CHARS = 100;

    private final TaskApi tasks;
    private final TaskToolSettings settings;

    public Spawns(TaskApi tasks, TaskToolSettings settings) {
        this.tasks = tasks;
        this.settings = settings;
    }

    /** The links of a task whose parent, if the call names one, must be a living task of the session. */
    public Future<TaskLinks> links(ToolCall call, @Nullable String batch, boolean notifies, @Nullable Wake wake) {
        String parentTaskId = call.parameters().getString(PARENT.name());
        return depth(call.sessionId(), parentTaskId)
                .map(depth -> new TaskLinks(parentTaskId, depth, batch, notifies, wake));
    }

    private Future<Integer> depth(String sessionId, @Nullable String parentTaskId) {
        if (parentTaskId == null) {
            return Future.succeededFuture(0);
        }
        return new SessionTasks(tasks, sessionId).byId(parentTaskId).map(parent -> {
            int depth = parent.links().depth() + 1;
            if (depth > settings.maxDepth()) {
                throw new Failure(
                        FailureCode.QUOTA_EXCEEDED,
                        "Tasks are nested at most " + settings.maxDepth() + " deep, and a child of " + parentTaskId
                                + " would be at depth " + depth);
            }
            if (parent.isOver() || parent.state().phase() == Phase.STOPPING) {
                throw new Failure(
                        FailureCode.TASK_NOT_READY,
                        "The parent task " + parentTaskId
                                + " has ended or is being stopped, so it gets no more children");
            }
            return depth;
        });
    }

    /**
     * The input of an agent's first turn. The context comes last and to its end, so that nothing in it can pass for the task.
     */
    public static String prompt(String task, @Nullable String context) {
        String prompt = context == null
                ? task
                : task + "\n\n----- Context for this task, given by the caller: all that follows, " + context.length()
                        + " characters -----\n" + context;
        int bytes = prompt.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > Limits.ARGS_BYTES) {
            throw RequestFields.wrong("task and context together have at most " + Limits.ARGS_BYTES
                    + " bytes as UTF-8, these have " + bytes
                    + "; store what is longer with artifact_store or in a file, and name it in the task");
        }
        return prompt;
    }

    /** A title for lists: the first line of the task. */
    public static String title(String task) {
        String line = ModelText.plain(task).strip().lines().findFirst().orElse("task");
        return ModelText.start(line, TITLE_CHARS);
    }

    /** The folder that is given as {@link #CWD}. */
    public static @Nullable String cwd(JsonObject given) {
        String cwd = given.getString(CWD.name());
        return cwd == null ? null : RequestFields.withoutNul(cwd, CWD.name());
    }

    /** Refuses a text that says nothing. */
    public static String notBlank(String text, String name) {
        if (text.isBlank()) {
            throw RequestFields.wrong(name + " is empty; say what is to be done");
        }
        return text;
    }
}
