package io.penstock.engine.launch;

import io.penstock.engine.spawn.TerminalSize;
import io.penstock.engine.watch.WatchSpec;
import io.penstock.frames.Actor;
import io.penstock.frames.AgentSpec;
import io.penstock.frames.Channel;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.JsonText;
import io.penstock.frames.Keep;
import io.penstock.frames.OnLost;
import io.penstock.frames.RecordInput;
import io.penstock.frames.TaskLabel;
import io.penstock.frames.TaskLinks;
import io.penstock.frames.TaskTurnStarted;
import io.penstock.frames.WatchScope;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of a request in the queue. It has every component, so that a queued task starts as requested, also on a later
 * server. Earlier servers wrote fewer members: a missing one has its default.
 */
final class TaskRequestJson {

    private TaskRequestJson() {}

    static JsonObject write(TaskRequest request) {
        TaskLabel label = request.label();
        return new JsonObject()
                .put("tool", request.toolName())
                .put("args", request.args().text())
                .put("command", new JsonArray(request.command()))
                .put("environment", new JsonObject(new LinkedHashMap<>(request.environment())))
                .put("cwd", request.cwd())
                .put("title", request.title())
                .put("label", label == null ? null : label.text())
                .put("mode", request.mode().name())
                .put("rows", request.size().rows())
                .put("cols", request.size().cols())
                .put("session", request.originSessionId())
                .put("artifact_max_bytes", request.artifactMaxBytes())
                .put("max_bytes", request.maxBytes())
                .put("timeout_ms", request.timeout().toMillis())
                .put("actor", request.actor().toString())
                .put("record_input", request.recordInput().name())
                .put("keep", request.keep().name())
                .put("serial", request.serial())
                .put("on_lost", request.onLost().name())
                .put("stdin_open", request.stdinOpen())
                .put("links", write(request.links()))
                .put("agent", write(request.agent()))
                .put(
                        "watch",
                        new JsonArray(request.watch().stream()
                                .map(TaskRequestJson::write)
                                .toList()));
    }

    /** Throws a {@code RuntimeException} if the object does not describe a request. */
    static TaskRequest read(JsonObject json) {
        JsonObject environment = json.getJsonObject("environment");
        var values = new LinkedHashMap<String, String>();
        environment.fieldNames().forEach(name -> values.put(name, environment.getString(name)));
        ExecutionMode mode = ExecutionMode.valueOf(json.getString("mode"));
        TaskRequest.Builder request = TaskRequest.builder(
                        json.getString("tool", "exec"),
                        json.getJsonArray("command").stream()
                                .map(String.class::cast)
                                .toList(),
                        Actor.parse(json.getString("actor", Actor.SERVER.toString())))
                .environment(values)
                .cwd(json.getString("cwd"))
                .title(json.getString("title"))
                .label(TaskLabel.ofNullable(json.getString("label")))
                .mode(mode)
                .size(new TerminalSize(json.getInteger("rows"), json.getInteger("cols")))
                .originSessionId(json.getString("session"))
                .timeout(Duration.ofMillis(json.getLong("timeout_ms")))
                .recordInput(RecordInput.valueOf(json.getString("record_input", RecordInput.DEFAULT.name())))
                .keep(Keep.valueOf(json.getString("keep", Keep.usual(mode).name())))
                .serial(json.getBoolean("serial", false))
                .onLost(OnLost.valueOf(json.getString("on_lost", OnLost.END.name())))
                .stdinOpen(json.getBoolean("stdin_open", false))
                .links(readLinks(json.getJsonObject("links")));
        AgentTurn agent = readAgent(json.getJsonObject("agent"));
        if (agent != null) {
            request.agent(agent);
        }
        if (json.containsKey("args")) {
            request.args(new JsonText(json.getString("args")));
        }
        if (json.containsKey("watch")) {
            request.watch(json.getJsonArray("watch").stream()
                    .map(watch -> readWatch((JsonObject) watch))
                    .toList());
        }
        // Null is without limit.
        if (json.containsKey("artifact_max_bytes")) {
            request.artifactMaxBytes(json.getLong("artifact_max_bytes"));
        }
        if (json.containsKey("max_bytes")) {
            request.maxBytes(json.getLong("max_bytes"));
        }
        return request.build();
    }

    private static JsonObject write(WatchSpec watch) {
        return new JsonObject()
                .put("regex", watch.regex())
                .put("event", watch.event())
                .put(
                        "channels",
                        new JsonArray(watch.channels().stream()
                                .sorted()
                                .map(Channel::name)
                                .toList()))
                .put("once", watch.once())
                .put("scope", watch.scope().name());
    }

    private static WatchSpec readWatch(JsonObject json) {
        Set<Channel> channels = json.getJsonArray("channels").stream()
                .map(name -> Channel.valueOf((String) name))
                .collect(Collectors.toSet());
        return new WatchSpec(
                json.getString("regex"),
                json.getString("event"),
                channels,
                json.getBoolean("once"),
                WatchScope.valueOf(json.getString("scope")));
    }

    private static @Nullable JsonObject write(@Nullable TaskLinks links) {
        if (links == null) {
            return null;
        }
        TaskLinks.Wake wake = links.wake();
        return new JsonObject()
                .put("parent", links.parentTaskId())
                .put("depth", links.depth())
                .put("batch", links.batch())
                .put("notifies", links.notifies())
                .put("wake", wake == null ? null : wake.taskId())
                .put("message", wake == null ? null : wake.message());
    }

    private static @Nullable TaskLinks readLinks(@Nullable JsonObject json) {
        if (json == null) {
            return null;
        }
        String wake = json.getString("wake");
        return new TaskLinks(
                json.getString("parent"),
                json.getInteger("depth"),
                json.getString("batch"),
                json.getBoolean("notifies"),
                wake == null ? null : new TaskLinks.Wake(wake, json.getString("message")));
    }

    private static @Nullable JsonObject write(@Nullable AgentTurn agent) {
        if (agent == null) {
            return null;
        }
        AgentSpec spec = agent.spec();
        return new JsonObject()
                .put("profile", spec.profile())
                .put("protocol", spec.protocol().name())
                .put("model", spec.model())
                .put("thinking", spec.thinking())
                .put("after_turn", spec.afterTurn().name())
                .put("kind", agent.kind().name())
                .put("prompt", agent.prompt())
                .put("prompt_id", agent.promptId());
    }

    private static @Nullable AgentTurn readAgent(@Nullable JsonObject json) {
        return json == null
                ? null
                : new AgentTurn(
                        new AgentSpec(
                                json.getString("profile"),
                                AgentSpec.Protocol.valueOf(json.getString("protocol")),
                                json.getString("model"),
                                json.getString("thinking"),
                                AgentSpec.AfterTurn.valueOf(json.getString("after_turn"))),
                        TaskTurnStarted.Kind.valueOf(json.getString("kind")),
                        json.getString("prompt"),
                        json.getString("prompt_id"));
    }
}
