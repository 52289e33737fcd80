package io.penstock.engine.task.agent;

import io.penstock.engine.address.Contexts;
import io.penstock.engine.agent.AgentEvent;
import io.penstock.engine.agent.AgentProtocol;
import io.penstock.frames.Channel;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.TaskAgentToolCall;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out what an agent asks of its client: files of the workspace, and commands, each of which is a task. */
final class AgentCalls {

    private static final Logger log = LoggerFactory.getLogger(AgentCalls.class);

    private final Vertx vertx;
    private final Context context;
    private final AgentServices services;
    private final String taskId;
    private final ToolTaskSpawned task;
    private final AgentFrames frames;
    private final AgentProtocol protocol;
    private final BooleanSupplier isOver;
    private final WorkspaceFiles files;
    /** The tasks that this agent has started and not released: no other may be named. */
    private final Set<String> children = new HashSet<>();

    private int starting;
    private long filesWritten;

    AgentCalls(
            Vertx vertx,
            AgentServices services,
            String taskId,
            ToolTaskSpawned task,
            AgentFrames frames,
            AgentProtocol protocol,
            BooleanSupplier isOver) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.services = services;
        this.taskId = taskId;
        this.task = task;
        this.frames = frames;
        this.protocol = protocol;
        this.isOver = isOver;
        this.files = new WorkspaceFiles(services.workspace());
    }

    void carryOut(AgentEvent.Calls call) {
        Future<JsonObject> done;
        try {
            done = answer(call.method(), call.parameters());
        } catch (RuntimeException e) {
            // ClassCastException: a parameter of another type than the protocol's.
            done = Future.failedFuture(e);
        }
        Contexts.on(context, done).onComplete(result -> {
            if (isOver.getAsBoolean()) {
                return;
            }
            if (result.succeeded()) {
                protocol.reply(call.callId(), result.result());
            } else {
                protocol.refuse(
                        call.callId(), call.method() + ": " + result.cause().getMessage());
            }
        });
    }

    private Future<JsonObject> answer(String method, JsonObject given) {
        return switch (method) {
            case "fs/read_text_file" -> read(given);
            case "fs/write_text_file" -> write(given);
            case "terminal/create" -> create(given);
            case "terminal/output" -> output(child(given));
            case "terminal/wait_for_exit" ->
                services.children().awaitEnd(child(given)).map(AgentCalls::exit);
            case "terminal/kill" ->
                services.children()
                        .cancel(child(given), "the agent ends its command")
                        .map(done -> new JsonObject());
            case "terminal/release" -> release(given);
            default ->
                Future.failedFuture(new Failure(FailureCode.INVALID_REQUEST, "this client does not have the method"));
        };
    }

    private Future<JsonObject> read(JsonObject given) {
        String path = text(given, "path");
        Integer line = given.getInteger("line");
        Integer limit = given.getInteger("limit");
        return vertx.executeBlocking(() -> files.read(path, line, limit), false)
                .map(content -> new JsonObject().put("content", content));
    }

    private Future<JsonObject> write(JsonObject given) {
        String path = text(given, "path");
        String content = text(given, "content");
        return vertx.executeBlocking(() -> files.write(path, content), false).map(relative -> {
            if (!isOver.getAsBoolean()) {
                String id = "file-" + ++filesWritten;
                frames.called(new AgentEvent.ToolCall(
                        id, "fs/write_text_file", relative, TaskAgentToolCall.Status.COMPLETED, null, null));
                frames.flush();
            }
            return new JsonObject();
        });
    }

    private Future<JsonObject> create(JsonObject given) {
        var command = new ArrayList<String>();
        command.add(text(given, "command"));
        JsonArray args = given.getJsonArray("args", new JsonArray());
        args.forEach(word -> command.add((String) word));
        var environment = new HashMap<String, String>();
        given.getJsonArray("env", new JsonArray()).forEach(each -> {
            var variable = (JsonObject) each;
            environment.put(text(variable, "name"), text(variable, "value"));
        });
        if (children.size() + starting >= AgentLimits.TERMINALS) {
            throw new Failure(
                    FailureCode.QUOTA_EXCEEDED,
                    "there are " + AgentLimits.TERMINALS + " terminals already; release those that are done");
        }
        starting++;
        return Contexts.on(
                        context,
                        services.children()
                                .start(taskId, task, List.copyOf(command), environment, given.getString("cwd")))
                .onComplete(started -> starting--)
                .map(child -> {
                    children.add(child);
                    if (isOver.getAsBoolean()) {
                        end();
                    } else {
                        frames.child("terminal-" + child, String.join(" ", command), child);
                    }
                    return new JsonObject().put("terminalId", child);
                });
    }

    private Future<JsonObject> output(String child) {
        return services.children()
                .state(child)
                .compose(state -> services.children()
                        .output(child, AgentLimits.TERMINAL_BYTES)
                        .map(text -> new JsonObject()
                                .put("output", text)
                                .put("truncated", state.output().total(Channel.STDOUT) > AgentLimits.TERMINAL_BYTES)
                                .put("exitStatus", state.run().ending() == null ? null : exit(state))));
    }

    private static JsonObject exit(TaskState ended) {
        var ending = ended.run().ending();
        Integer signal = ending == null ? null : ending.signal();
        return new JsonObject()
                .put("exitCode", ending == null || signal != null ? null : ending.exitCode())
                .put("signal", signal == null ? null : String.valueOf(signal));
    }

    private Future<JsonObject> release(JsonObject given) {
        String child = child(given);
        children.remove(child);
        return services.children()
                .cancel(child, "the agent releases its command")
                .map(done -> new JsonObject());
    }

    private String child(JsonObject given) {
        String id = text(given, "terminalId");
        if (!children.contains(id)) {
            throw new Failure(FailureCode.INVALID_REQUEST, "there is no terminal " + id);
        }
        return id;
    }

    private static String text(JsonObject given, String name) {
        @Nullable String value = given.getString(name);
        if (value == null) {
            throw new Failure(FailureCode.INVALID_REQUEST, name + " is missing");
        }
        return value;
    }

    /** Ends the commands that the agent left. */
    void end() {
        List.copyOf(children)
                .forEach(child -> services.children()
                        .cancel(child, "its agent has ended")
                        .onFailure(e -> log.warn(
                                "The command {} of the ended agent {} is not cancelled: {}",
                                child,
                                taskId,
                                e.getMessage())));
        children.clear();
    }
}
