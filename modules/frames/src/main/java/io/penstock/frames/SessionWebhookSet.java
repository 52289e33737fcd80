package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/**
 * A session got a webhook, another one, or has none any more.
 *
 * @param target scheme, host and port to which mailbox items are sent, never the path or the query, which may be secret; null for none
 * @param rule the rule of policy that allows it; null for none
 */
public record SessionWebhookSet(
        @Nullable String target, @Nullable String rule, Actor actor, SessionProgress progress) implements SessionFrame {

    public SessionWebhookSet {
        target = Checks.textOrNull(target, "target");
        rule = Checks.textOrNull(rule, "rule");
    }

    @Override
    public FrameType type() {
        return FrameType.SESSION_WEBHOOK_SET;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.textOrNull("target", target);
        json.textOrNull("rule", rule);
        json.actor("actor", actor);
        progress.writeJson(json);
    }

    static SessionWebhookSet readJson(JsonFields fields) {
        return new SessionWebhookSet(
                fields.textOrNull("target"),
                fields.textOrNull("rule"),
                fields.actor("actor"),
                SessionProgress.readJson(fields));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeTextOrNull(target);
        out.writeTextOrNull(rule);
        actor.writeStored(out);
        progress.writeStored(out);
    }

    static SessionWebhookSet readStored(ByteReader in) {
        return new SessionWebhookSet(
                in.readTextOrNull(), in.readTextOrNull(), Actor.readStored(in), SessionProgress.readStored(in));
    }
}
