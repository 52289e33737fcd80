package io.penstock.server.ws;

import io.penstock.engine.session.SessionState;
import io.penstock.frames.Failure;
import io.penstock.frames.Limits;
import io.penstock.server.request.ErrorBody;
import io.penstock.server.request.RequestFields;
import io.penstock.server.request.SessionJson;
import io.penstock.server.ws.wire.ServerMessages;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The messages of a mailbox's WebSocket that are not items: objects whose {@code type} no frame has. */
final class MailboxMessages {

    /** A message from the client. */
    sealed interface Command {
        long op();

        /** Acknowledges the items up to and including the frame. */
        record Acknowledge(long op, long throughSeq) implements Command {}

        /** Ends the session. */
        record End(long op, @Nullable String reason) implements Command {}
    }

    private MailboxMessages() {}

    static Command read(byte[] utf8) {
        RequestFields fields = RequestFields.parse(utf8, "The message");
        String type = fields.text("type", Limits.TEXT_CHARS);
        return switch (type) {
            case "ack" -> {
                fields.only(List.of("type", "op", "through_seq"), "");
                yield new Command.Acknowledge(op(fields), fields.number("through_seq", 0, Limits.WHOLE_NUMBER));
            }
            case "end" -> {
                fields.only(List.of("type", "op", "reason"), "");
                yield new Command.End(op(fields), fields.textOrNull("reason"));
            }
            default ->
                throw RequestFields.wrong("There is no type \"" + RequestFields.shown(type) + "\"; known are ack, end");
        };
    }

    private static long op(RequestFields fields) {
        return fields.number("op", 1, Limits.WHOLE_NUMBER);
    }

    /** The number of a message that is malformed otherwise, so that the client knows which one is refused. */
    static @Nullable Long opOrNull(byte[] utf8) {
        try {
            return op(RequestFields.parse(utf8, "The message"));
        } catch (Failure none) {
            return null;
        }
    }

    static JsonObject ready(SessionState state, boolean controls, long fromSeq) {
        return of("mailbox_ready")
                .put("session_id", state.sessionId())
                .put("rights", ServerMessages.rights(controls))
                .put("from_seq", fromSeq)
                .put("next_seq", state.nextSeq())
                .put("waiting", state.progress().waiting());
    }

    /** All items that existed when the client attached have been sent. */
    static JsonObject caughtUp(long nextSeq) {
        return of("mailbox_caught_up").put("next_seq", nextSeq);
    }

    static JsonObject done(long op, SessionState state) {
        return of("mailbox_done").put("op", op).put("session", SessionJson.status(state));
    }

    static JsonObject refused(@Nullable Long op, Throwable why) {
        return of("mailbox_refused").put("op", op).put("error", ErrorBody.of(Failure.forCallers(why)));
    }

    private static JsonObject of(String type) {
        return new JsonObject().put("type", type);
    }
}
