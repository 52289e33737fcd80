package io.penstock.engine.agent;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The Agent Client Protocol, version 1, as its client: JSON-RPC 2.0, one object per line. An agent that wants a sign-in is refused,
 * because nobody is there who could give it one; the program's own command signs in. Answers with unknown ids, unknown notifications and
 * messages of other conversations are ignored; unknown requests are refused.
 */
final class AcpProtocol implements AgentProtocol {

    private static final int VERSION = 1;

    private static final int SIGN_IN_REQUIRED = -32000;
    private static final int RESOURCE_NOT_FOUND = -32002;
    private static final int METHOD_NOT_FOUND = -32601;
    private static final int INVALID_PARAMS = -32602;
    private static final int INTERNAL_ERROR = -32603;

    /** Questions and calls of the agent that wait for an answer: it has a few at a time, and each takes memory. */
    static final int OPEN_REQUESTS = 64;

    private enum Phase {
        NEW,
        INITIALIZING,
        OPENING,
        IDLE,
        TURN,
        OVER
    }

    /** A question that waits for its answer. */
    private record Question(
            Object id, @Nullable String allow, @Nullable String deny) {}

    private final Listener listener;
    private final AgentLines lines = new AgentLines(this::message);
    private final AcpUpdates updates;
    private final Map<String, Question> questions = new LinkedHashMap<>();
    private final Map<String, Object> calls = new HashMap<>();

    private Phase phase = Phase.NEW;
    private int lastRequest;
    private int requestsOfAgent;
    private String folder = "";
    private @Nullable String sessionId;
    private boolean load;
    private boolean canLoad;
    private boolean prompted;
    private @Nullable String agentName;
    private @Nullable String agentVersion;
    private String signIns = "";

    AcpProtocol(Listener listener) {
        this.listener = listener;
        updates = new AcpUpdates(listener::happened);
    }

    @Override
    public void open(String workFolder, @Nullable String conversation) {
        require(Phase.NEW, "open");
        folder = workFolder;
        sessionId = conversation;
        load = conversation != null;
        phase = Phase.INITIALIZING;
        request(
                "initialize",
                new JsonObject()
                        .put("protocolVersion", VERSION)
                        // The version must be there; it says nothing that the capabilities do not say.
                        .put(
                                "clientInfo",
                                new JsonObject().put("name", "penstock").put("version", "1"))
                        .put(
                                "clientCapabilities",
                                new JsonObject()
                                        .put(
                                                "fs",
                                                new JsonObject()
                                                        .put("readTextFile", true)
                                                        .put("writeTextFile", true))
                                        .put("terminal", true)
                                        // Output of commands as it comes, instead of all of it again and again.
                                        .put("_meta", new JsonObject().put("terminal_output", true))));
    }

    @Override
    public void setCostBefore(long costMicroUsd) {
        require(Phase.NEW, "setCostBefore");
        updates.setCostBefore(costMicroUsd);
    }

    @Override
    public void read(ByteBuffer bytes) {
        if (phase != Phase.OVER) {
            understand(lines.read(bytes));
        }
    }

    @Override
    public void prompt(String text) {
        require(Phase.IDLE, "prompt");
        phase = Phase.TURN;
        prompted = true;
        var block = new JsonObject().put("type", "text").put("text", text);
        request("session/prompt", ofSession().put("prompt", new JsonArray().add(block)));
    }

    /** The response to the prompt is the end of the turn, and no other request asks for it. */
    @Override
    public void poll() {}

    @Override
    public boolean canSteer() {
        return false;
    }

    @Override
    public void steer(String text) {
        throw new IllegalStateException("an agent that speaks ACP takes no message during a turn");
    }

    /** Does nothing if no turn runs. */
    @Override
    public void interrupt() {
        if (phase == Phase.TURN) {
            send(new JsonObject().put("method", "session/cancel").put("params", ofSession()));
            cancelQuestions();
        }
    }

    @Override
    public void answer(String questionId, boolean allow) {
        Question question = questions.remove(questionId);
        if (question != null) {
            outcome(question, allow ? question.allow() : question.deny());
        }
    }

    /** A call that is not open is ignored, as a question is. */
    @Override
    public void reply(String callId, JsonObject result) {
        Object id = calls.remove(callId);
        if (id != null) {
            send(new JsonObject().put("id", id).put("result", result));
        }
    }

    /** A call that is not open is ignored, as a question is. */
    @Override
    public void refuse(String callId, String message) {
        Object id = calls.remove(callId);
        if (id != null) {
            refuse(id, INTERNAL_ERROR, message);
        }
    }

    @Override
    public void ended() {
        if (phase != Phase.OVER) {
            understand(lines.end());
        }
        switch (phase) {
            case INITIALIZING, OPENING -> broken("it ended before the conversation was open", false);
            case TURN -> broken("it ended during the turn", false);
            case NEW, IDLE, OVER -> over();
        }
    }

    private void message(JsonObject message) {
        if (phase == Phase.OVER) {
            return;
        }
        String method = AgentJson.text(message, "method");
        Object id = message.getValue("id");
        if (method == null) {
            response(message);
        } else if (id == null) {
            notification(method, AgentJson.object(message, "params"));
        } else if (id instanceof String || id instanceof Number) {
            requested(id, method, AgentJson.object(message, "params"));
        }
    }

    private void response(JsonObject message) {
        // One request is open at a time: all others are answered or too late.
        if (!(message.getValue("id") instanceof Integer id) || id != lastRequest) {
            return;
        }
        boolean failed = message.getValue("error") != null;
        JsonObject error = AgentJson.object(message, "error");
        JsonObject result = AgentJson.object(message, "result");
        switch (phase) {
            case INITIALIZING -> {
                if (failed) {
                    broken("it refused to begin: " + sentence(error), false);
                } else {
                    initialized(result);
                }
            }
            case OPENING -> {
                if (failed) {
                    notOpened(error);
                } else {
                    opened(result);
                }
            }
            case TURN -> {
                if (failed) {
                    settled("error", sentence(error));
                } else {
                    updates.readUsage(result);
                    String reason = AgentJson.line(result, "stopReason");
                    settled(reason == null ? "unknown" : reason, null);
                }
            }
            case NEW, IDLE, OVER -> {
                // The answer has come a second time.
            }
        }
    }

    private void initialized(JsonObject result) {
        Object version = result.getValue("protocolVersion");
        if (!(version instanceof Number number) || number.longValue() != VERSION) {
            broken("it speaks version " + AgentJson.line(String.valueOf(version)) + " of ACP, not " + VERSION, false);
            return;
        }
        JsonObject capabilities = AgentJson.object(result, "agentCapabilities");
        boolean loads = AgentJson.flag(capabilities, "loadSession");
        boolean resumes =
                AgentJson.object(capabilities, "sessionCapabilities").getValue("resume") instanceof JsonObject;
        canLoad = loads || resumes;
        agentName = AgentJson.line(AgentJson.object(result, "agentInfo"), "name");
        agentVersion = AgentJson.line(AgentJson.object(result, "agentInfo"), "version");
        signIns = AgentJson.objects(result, "authMethods").stream()
                .map(method -> Objects.requireNonNullElse(AgentJson.line(method, "id"), "?"))
                .limit(OPEN_REQUESTS)
                .collect(Collectors.joining(", "));
        if (load && !canLoad) {
            broken("it cannot load an earlier conversation", false);
            return;
        }
        phase = Phase.OPENING;
        JsonObject where = new JsonObject().put("cwd", folder).put("mcpServers", new JsonArray());
        if (load) {
            request(loads ? "session/load" : "session/resume", where.put("sessionId", sessionId));
        } else {
            request("session/new", where);
        }
    }

    private void opened(JsonObject result) {
        String name = load ? sessionId : AgentJson.line(result, "sessionId");
        if (name == null) {
            broken("it opened a conversation without a sessionId", false);
            return;
        }
        sessionId = name;
        phase = Phase.IDLE;
        listener.happened(new AgentEvent.Opened(name, load, canLoad, agentName, agentVersion));
    }

    private void notOpened(JsonObject error) {
        if (code(error) == SIGN_IN_REQUIRED) {
            broken(
                    "it wants a sign-in (" + (signIns.isEmpty() ? "no method is offered" : signIns)
                            + "): sign in with the program's own command under the account that runs Penstock, or put its key into the"
                            + " environment of its profile",
                    false);
        } else if (load) {
            broken("it could not load the conversation " + sessionId + ": " + sentence(error), missing(error));
        } else {
            broken("it refused a conversation: " + sentence(error), false);
        }
    }

    /** Programs have no common code for a conversation that is gone; opencode names only the part that failed. */
    private static boolean missing(JsonObject error) {
        String text = sentence(error).toLowerCase(Locale.ROOT);
        return code(error) == RESOURCE_NOT_FOUND
                || Stream.of("not found", "no such", "not exist", "unknown session", "\"service\":\"session\"")
                        .anyMatch(text::contains);
    }

    private void notification(String method, JsonObject parameters) {
        if (!method.equals("session/update") || isForeign(parameters)) {
            return;
        }
        JsonObject update = AgentJson.object(parameters, "update");
        if (phase == Phase.TURN) {
            updates.read(update);
        } else {
            updates.readBetweenTurns(update, prompted);
        }
    }

    private void requested(Object id, String method, JsonObject parameters) {
        boolean asks = method.equals("session/request_permission");
        if (!asks && !method.startsWith("fs/") && !method.startsWith("terminal/")) {
            refuse(id, METHOD_NOT_FOUND, "there is no method " + AgentJson.line(method));
        } else if (phase != Phase.TURN && phase != Phase.IDLE || isForeign(parameters)) {
            refuse(id, INVALID_PARAMS, "the conversation is not open: " + AgentJson.line(parameters, "sessionId"));
        } else if (questions.size() + calls.size() >= OPEN_REQUESTS) {
            refuse(id, INTERNAL_ERROR, OPEN_REQUESTS + " requests wait for their answers, and no more can");
        } else if (asks) {
            ask(id, parameters);
        } else {
            String callId = "c" + ++requestsOfAgent;
            calls.put(callId, id);
            listener.happened(new AgentEvent.Calls(callId, method, parameters));
        }
    }

    private void ask(Object id, JsonObject parameters) {
        List<JsonObject> options = AgentJson.objects(parameters, "options");
        String once = option(options, "allow_once");
        String allow = once == null ? option(options, "allow_always") : once;
        var question = new Question(id, allow, option(options, "reject_once"));
        if (phase != Phase.TURN) {
            outcome(question, null);
            return;
        }
        JsonObject call = AgentJson.object(parameters, "toolCall");
        // The content of a question is for the one who answers, and no output.
        call.remove("content");
        updates.toolCall(call);
        String questionId = "q" + ++requestsOfAgent;
        questions.put(questionId, question);
        String name = AgentJson.line(call, "name");
        String title = AgentJson.line(call, "title");
        Object input = call.getValue("rawInput");
        listener.happened(new AgentEvent.Asks(
                questionId,
                AgentJson.line(call, "toolCallId"),
                name == null ? AgentJson.line(call, "kind") : name,
                title == null ? "use a tool" : title,
                input instanceof JsonObject object ? object : new JsonObject()));
    }

    private static @Nullable String option(List<JsonObject> options, String kind) {
        return options.stream()
                .filter(option -> kind.equals(AgentJson.text(option, "kind")))
                .map(option -> AgentJson.text(option, "optionId"))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Answers with an option; without one, which ends the turn. */
    private void outcome(Question question, @Nullable String option) {
        JsonObject outcome = option == null
                ? new JsonObject().put("outcome", "cancelled")
                : new JsonObject().put("outcome", "selected").put("optionId", option);
        send(new JsonObject().put("id", question.id()).put("result", new JsonObject().put("outcome", outcome)));
    }

    private void settled(String stopReason, @Nullable String error) {
        phase = Phase.IDLE;
        cancelQuestions();
        // A listener that cannot send any more ends the conversation at once.
        if (phase == Phase.IDLE) {
            listener.happened(new AgentEvent.Settled(stopReason, error));
        }
    }

    private void cancelQuestions() {
        List<Question> open = List.copyOf(questions.values());
        questions.clear();
        open.forEach(question -> outcome(question, null));
    }

    private void understand(@Nullable String problem) {
        if (problem != null && phase != Phase.OVER) {
            broken(problem, false);
        }
    }

    private void broken(String reason, boolean sessionMissing) {
        over();
        listener.happened(new AgentEvent.Broken("the agent program cannot be used: " + reason, sessionMissing));
    }

    private void over() {
        phase = Phase.OVER;
        questions.clear();
        calls.clear();
    }

    private void require(Phase required, String wish) {
        if (phase != required) {
            throw new IllegalStateException(wish + " is not possible in the phase " + phase);
        }
    }

    private boolean isForeign(JsonObject parameters) {
        return !Objects.equals(sessionId, AgentJson.text(parameters, "sessionId"));
    }

    private JsonObject ofSession() {
        return new JsonObject().put("sessionId", sessionId);
    }

    private void request(String method, JsonObject parameters) {
        send(new JsonObject().put("id", ++lastRequest).put("method", method).put("params", parameters));
    }

    private void refuse(Object id, int code, String message) {
        send(new JsonObject()
                .put("id", id)
                .put("error", new JsonObject().put("code", code).put("message", message)));
    }

    private void send(JsonObject message) {
        if (phase != Phase.OVER) {
            String line = message.put("jsonrpc", "2.0").encode() + "\n";
            listener.send(line.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static long code(JsonObject error) {
        return error.getValue("code") instanceof Number number ? number.longValue() : 0;
    }

    /** The message of an error with its details, which often hold the reason. */
    private static String sentence(JsonObject error) {
        String message = AgentJson.line(error, "message");
        String data = AgentJson.line(AgentJson.encoded(error.getValue("data")));
        String text = message == null ? "an error without a message" : message;
        return data == null ? text : Objects.requireNonNull(AgentJson.line(text + ": " + data));
    }
}
