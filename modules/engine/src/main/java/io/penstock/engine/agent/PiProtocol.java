package io.penstock.engine.agent;

import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The RPC mode of pi: commands and responses, one object per line, and the events of its agent between them. A conversation is known by
 * the path of its file. A turn has settled when pi says so; versions that do not say so are asked for their state after each run of the
 * agent. pi has no permission requests, but its extensions may ask ({@link PiDialogs}), and it calls no methods.
 */
final class PiProtocol implements AgentProtocol {

    /** Makes pi deliver a message that came too late for the run that it was for, and is in its queue. */
    private static final String NUDGE = "Continue.";

    private enum Phase {
        NEW,
        OPENING,
        IDLE,
        TURN,
        OVER
    }

    /** What a command is for, until its response comes. */
    private enum Purpose {
        LOAD("switch_session"),
        OPEN("get_state"),
        PROMPT("prompt"),
        STEER("prompt"),
        CHECK("get_state"),
        POLL("get_state");

        private final String command;

        Purpose(String command) {
            this.command = command;
        }
    }

    private static final int SILENT_POLLS = 2;

    private final Listener listener;
    private final AgentLines lines = new AgentLines(PiLine::object, this::line);
    private final PiMessages messages;
    private final PiDialogs dialogs = new PiDialogs(this::send);
    private final PiActivity activity = new PiActivity();
    private final Map<String, Purpose> open = new LinkedHashMap<>();

    private Phase phase = Phase.NEW;
    private int commands;
    private @Nullable String loading;
    private boolean interrupting;
    private boolean nudged;
    /** Polls in a row that found pi at rest, with no event between them. */
    private int silentPolls;

    PiProtocol(Listener listener) {
        this.listener = listener;
        messages = new PiMessages(listener::happened);
    }

    /** pi works in the folder that it was started in. */
    @Override
    public void open(String folder, @Nullable String sessionId) {
        require(Phase.NEW, "open");
        phase = Phase.OPENING;
        loading = sessionId;
        if (sessionId == null) {
            command(Purpose.OPEN, new JsonObject());
        } else {
            command(Purpose.LOAD, new JsonObject().put("sessionPath", sessionId));
        }
    }

    /** pi reports the cost of each message. */
    @Override
    public void setCostBefore(long costMicroUsd) {}

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
        interrupting = false;
        nudged = false;
        silentPolls = 0;
        activity.beginTurn();
        messages.beginTurn();
        // An extension may have started a run by itself.
        command(Purpose.PROMPT, message(text, "followUp"));
    }

    @Override
    public boolean canSteer() {
        return true;
    }

    /**
     * A prompt that steers, not the command {@code steer}: it starts another run if the one that it was for has just ended. Dialogs are
     * dismissed, because pi reads the message when its tools have ended, and they are about what has been overtaken.
     */
    @Override
    public void steer(String text) {
        require(Phase.TURN, "steer");
        dialogs.dismissAll();
        command(Purpose.STEER, message(text, "steer"));
    }

    @Override
    public void poll() {
        boolean brings = open.containsValue(Purpose.PROMPT) || open.containsValue(Purpose.STEER);
        if (phase == Phase.TURN && !brings && !open.containsValue(Purpose.POLL)) {
            command(Purpose.POLL, new JsonObject());
        }
    }

    /** Does nothing if no turn runs. */
    @Override
    public void interrupt() {
        if (phase == Phase.TURN) {
            interrupting = true;
            abort();
            dialogs.dismissAll();
        }
    }

    @Override
    public void answer(String questionId, boolean allow) {
        dialogs.answer(questionId, allow);
    }

    /** pi calls nothing, so no call is open. */
    @Override
    public void reply(String callId, JsonObject result) {}

    /** pi calls nothing, so no call is open. */
    @Override
    public void refuse(String callId, String message) {}

    @Override
    public void ended() {
        if (phase != Phase.OVER) {
            understand(lines.end());
        }
        switch (phase) {
            case OPENING -> broken("it ended before the conversation was open", false);
            case TURN -> broken("it ended during the turn", false);
            case NEW, IDLE, OVER -> phase = Phase.OVER;
        }
    }

    private void line(JsonObject line) {
        if (phase == Phase.OVER) {
            return;
        }
        String type = AgentJson.text(line, "type");
        if ("response".equals(type)) {
            response(line);
        } else if ("extension_ui_request".equals(type)) {
            dialog(line);
        } else if (phase == Phase.TURN || phase == Phase.IDLE) {
            event(type, line);
        }
    }

    private void event(@Nullable String type, JsonObject event) {
        silentPolls = 0;
        boolean mayBeLast = activity.follow(type, event);
        if (phase != Phase.TURN) {
            return;
        }
        messages.read(type, event);
        if ("agent_start".equals(type) && interrupting) {
            // pi received the abort before it had started the run.
            abort();
        } else if ("agent_settled".equals(type) && activity.started() && !bringing()) {
            settle();
        } else if (mayBeLast) {
            check();
        }
    }

    private void dialog(JsonObject request) {
        AgentEvent.Asks question = dialogs.ask(request, phase == Phase.TURN);
        if (question != null) {
            listener.happened(question);
        }
    }

    private void response(JsonObject response) {
        String id = id(response);
        Purpose purpose = id == null ? null : open.remove(id);
        if (purpose == null) {
            return;
        }
        boolean success = AgentJson.flag(response, "success");
        String error = Objects.requireNonNullElse(AgentJson.line(response, "error"), "it gave no reason");
        JsonObject data = AgentJson.object(response, "data");
        switch (purpose) {
            case LOAD -> {
                if (success && !AgentJson.flag(data, "cancelled")) {
                    command(Purpose.OPEN, new JsonObject());
                } else {
                    broken(
                            "it could not load the conversation " + loading + ": "
                                    + (success ? "an extension prevented it" : error),
                            false);
                }
            }
            case OPEN -> {
                if (success) {
                    opened(data);
                } else {
                    broken("it did not tell its state: " + error, false);
                }
            }
            case PROMPT, STEER -> {
                if (success) {
                    if (!activity.running()) {
                        // A command of an extension is done without a run.
                        check();
                    }
                } else if (purpose == Purpose.PROMPT && !activity.started()) {
                    settle("error", error);
                } else {
                    check();
                }
            }
            case CHECK -> checked(data);
            case POLL -> polled(data);
        }
    }

    /** A version that does not know a command answers without its id: the response is that of the oldest such command. */
    private @Nullable String id(JsonObject response) {
        Object id = response.getValue("id");
        if (id != null) {
            return id instanceof String text ? text : null;
        }
        String command = AgentJson.text(response, "command");
        return open.entrySet().stream()
                .filter(entry -> entry.getValue().command.equals(command))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    private void opened(JsonObject state) {
        String file = AgentJson.line(state, "sessionFile");
        String name = file == null ? AgentJson.line(state, "sessionId") : file;
        if (name == null) {
            broken("its state names no conversation", false);
        } else if (loading != null && AgentJson.count(state, "messageCount") == 0) {
            // pi begins an empty conversation if the file is not there.
            broken("the conversation " + loading + " does not exist", true);
        } else {
            phase = Phase.IDLE;
            listener.happened(new AgentEvent.Opened(name, loading != null, file != null, null, null));
        }
    }

    /** Asks for pi's state; only the newest answer counts. */
    private void check() {
        if (phase == Phase.TURN) {
            open.values().removeIf(purpose -> purpose == Purpose.CHECK);
            command(Purpose.CHECK, new JsonObject());
        }
    }

    /** Settles unless pi works on or is about to: then an event or a response will lead to another check. */
    private void checked(JsonObject state) {
        boolean busy = AgentJson.flag(state, "isStreaming") || AgentJson.flag(state, "isCompacting");
        if (phase != Phase.TURN || busy || !activity.quiet() || bringing()) {
            return;
        }
        if (AgentJson.count(state, "pendingMessageCount") > 0 && !interrupting && !nudged) {
            if (!activity.compacted()) {
                nudged = true;
                command(Purpose.STEER, message(NUDGE, "steer"));
            }
            return;
        }
        settle();
    }

    /** One poll may come between the end of a run and its events; after two, they do not come any more. */
    private void polled(JsonObject state) {
        boolean busy = AgentJson.flag(state, "isStreaming") || AgentJson.flag(state, "isCompacting");
        silentPolls = busy ? 0 : silentPolls + 1;
        if (silentPolls >= SILENT_POLLS && phase == Phase.TURN) {
            activity.rest();
            checked(state);
        }
    }

    /** Whether a message is on its way to pi, and will start a run if none is under way. */
    private boolean bringing() {
        return open.containsValue(Purpose.STEER) || open.containsValue(Purpose.PROMPT) && !activity.started();
    }

    private void settle() {
        String reason = messages.stopReason();
        settle(reason != null ? reason : interrupting ? "aborted" : "stop", messages.error());
    }

    private void settle(String stopReason, @Nullable String error) {
        phase = Phase.IDLE;
        dialogs.dismissAll();
        // A listener that cannot send any more ends the conversation at once.
        if (phase == Phase.IDLE) {
            listener.happened(new AgentEvent.Settled(stopReason, error));
        }
    }

    private void understand(@Nullable String problem) {
        if (problem != null && phase != Phase.OVER) {
            broken(problem, false);
        }
    }

    private void broken(String reason, boolean sessionMissing) {
        phase = Phase.OVER;
        open.clear();
        listener.happened(new AgentEvent.Broken("the agent program cannot be used: " + reason, sessionMissing));
    }

    private void require(Phase required, String wish) {
        if (phase != required) {
            throw new IllegalStateException(wish + " is not possible in the phase " + phase);
        }
    }

    private static JsonObject message(String text, String whileStreaming) {
        return new JsonObject().put("message", text).put("streamingBehavior", whileStreaming);
    }

    /** The events of the run tell its end, not the response. */
    private void abort() {
        send(new JsonObject().put("type", "abort"));
    }

    private void command(Purpose purpose, JsonObject fields) {
        String id = "p" + ++commands;
        open.put(id, purpose);
        send(fields.put("type", purpose.command).put("id", id));
    }

    private void send(JsonObject line) {
        if (phase != Phase.OVER) {
            listener.send((line.encode() + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }
}
