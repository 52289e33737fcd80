package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/**
 * How far a session's webhook is, after one of the session's frames. An item that cannot be delivered becomes a dead letter, so that the
 * next ones are tried.
 *
 * @param set whether the session has a webhook now
 * @param items mailbox items that it has dealt with, in order: delivered, made dead letters, or acknowledged before it was set
 * @param fromSeq the seq from which the other items lie
 * @param deadLetters items that were not delivered and have not been since
 * @param deadFromSeq the seq from which the frames about them lie
 */
public record WebhookProgress(boolean set, long items, long fromSeq, long deadLetters, long deadFromSeq) {

    // Zero is left for a frame without a webhook that a later version has extended.
    private static final int NOT_SET = 1;
    private static final int SET = 2;

    public WebhookProgress {
        Checks.notNegative(items, "webhook_items");
        Checks.notNegative(fromSeq, "webhook_from_seq");
        Checks.notNegative(deadLetters, "dead_letters");
        Checks.notNegative(deadFromSeq, "dead_letters_from_seq");
        if (deadLetters > items) {
            throw new IllegalArgumentException("dead_letters " + deadLetters + " exceeds webhook_items " + items);
        }
    }

    /** The session gets a webhook: it begins with the items that are neither acknowledged nor dealt with by an earlier one. */
    public static WebhookProgress started(SessionProgress now) {
        WebhookProgress before = now.webhook();
        return before == null
                ? new WebhookProgress(true, now.acknowledged(), now.mailboxFrom(), 0, 0)
                : new WebhookProgress(
                        true,
                        before.set() ? before.items() : Math.max(now.acknowledged(), before.items()),
                        before.set() ? before.fromSeq() : Math.max(now.mailboxFrom(), before.fromSeq()),
                        before.deadLetters(),
                        before.deadFromSeq());
    }

    public WebhookProgress removed() {
        return new WebhookProgress(false, items, fromSeq, deadLetters, deadFromSeq);
    }

    /** @param itemSeq an item, which was delivered; one below {@link #fromSeq} was a dead letter */
    public WebhookProgress withDelivered(long itemSeq) {
        return itemSeq < fromSeq
                ? new WebhookProgress(set, items, fromSeq, Math.max(0, deadLetters - 1), deadFromSeq)
                : new WebhookProgress(set, items + 1, itemSeq + 1, deadLetters, deadFromSeq);
    }

    /** @param seq the frame that says so */
    public WebhookProgress withDead(long itemSeq, long seq) {
        return itemSeq < fromSeq
                ? this
                : new WebhookProgress(
                        set, items + 1, itemSeq + 1, deadLetters + 1, deadLetters == 0 ? seq : deadFromSeq);
    }

    void writeJson(JsonWriter json) {
        json.flag("webhook", set);
        json.number("webhook_items", items);
        json.number("webhook_from_seq", fromSeq);
        json.number("dead_letters", deadLetters);
        json.number("dead_letters_from_seq", deadFromSeq);
    }

    static @Nullable WebhookProgress readJson(JsonFields fields) {
        return fields.numberOrNull("webhook_items") == null
                ? null
                : new WebhookProgress(
                        fields.flag("webhook"),
                        fields.number("webhook_items"),
                        fields.number("webhook_from_seq"),
                        fields.number("dead_letters"),
                        fields.number("dead_letters_from_seq"));
    }

    void writeStored(ByteWriter out) {
        out.writeByte(set ? SET : NOT_SET);
        out.writeNumber(items);
        out.writeNumber(fromSeq);
        out.writeNumber(deadLetters);
        out.writeNumber(deadFromSeq);
    }

    static @Nullable WebhookProgress readStored(ByteReader in) {
        int form = in.readByte();
        return form != SET && form != NOT_SET
                ? null
                : new WebhookProgress(form == SET, in.readNumber(), in.readNumber(), in.readNumber(), in.readNumber());
    }
}
