package io.penstock.frames;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What became of a mailbox item at the session's webhook.
 *
 * @param itemSeq the frame of the item in this stream
 * @param attempts how often it was sent for this; 0 where it is to be sent again
 * @param status the HTTP status of the last answer; null if there was none
 * @param error why the last attempt failed; null for a delivered item
 */
public record SessionWebhookDelivery(
        long itemSeq,
        Result result,
        int attempts,
        @Nullable Integer status,
        @Nullable String error,
        Actor actor,
        SessionProgress progress)
        implements SessionFrame {

    /** What became of it. */
    public enum Result {
        DELIVERED,
        /** It became a dead letter. */
        DEAD,
        /** A dead letter is to be sent again. */
        AGAIN;

        private final String wireName = name().toLowerCase(Locale.ROOT);

        public String wireName() {
            return wireName;
        }
    }

    public SessionWebhookDelivery {
        Checks.notNegative(itemSeq, "item_seq");
        Checks.notNegative(attempts, "attempts");
        if (status != null) {
            Checks.notNegative(status, "http_status");
        }
        error = Checks.textOrNull(error, "error");
    }

    @Override
    public FrameType type() {
        return FrameType.SESSION_WEBHOOK_DELIVERY;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.number("item_seq", itemSeq);
        json.text("result", result.wireName());
        json.number("attempts", attempts);
        json.numberOrNull("http_status", status);
        json.textOrNull("error", error);
        json.actor("actor", actor);
        progress.writeJson(json);
    }

    static SessionWebhookDelivery readJson(JsonFields fields) {
        return new SessionWebhookDelivery(
                fields.number("item_seq"),
                fields.oneOf("result", Result.class),
                fields.smallNumber("attempts"),
                fields.smallNumberOrNull("http_status"),
                fields.textOrNull("error"),
                fields.actor("actor"),
                SessionProgress.readJson(fields));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeNumber(itemSeq);
        out.writeConstant(result);
        out.writeNumber(attempts);
        out.writeNumberOrNull(status);
        out.writeTextOrNull(error);
        actor.writeStored(out);
        progress.writeStored(out);
    }

    static SessionWebhookDelivery readStored(ByteReader in) {
        return new SessionWebhookDelivery(
                in.readNumber(),
                in.readConstant(Result.class),
                in.readSmallNumber(),
                in.readSmallNumberOrNull(),
                in.readTextOrNull(),
                Actor.readStored(in),
                SessionProgress.readStored(in));
    }
}
