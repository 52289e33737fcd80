package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/**
 * A session's counters after one of its frames. Every frame of a session carries them, so the last frame alone says how
 * the session stands, however many came before it.
 *
 * @param tasksStarted tasks that were started for the session
 * @param tasksEnded those of them that have ended
 * @param items mailbox items so far
 * @param acknowledged mailbox items that were acknowledged; items are acknowledged in order
 * @param mailboxFrom the seq from which the items lie that are not acknowledged
 * @param webhook how far the session's webhook is; null if it never had one
 */
public record SessionProgress(
        long tasksStarted,
        long tasksEnded,
        long items,
        long acknowledged,
        long mailboxFrom,
        @Nullable WebhookProgress webhook) {

    public static final SessionProgress NONE = new SessionProgress(0, 0, 0, 0, 0);

    public SessionProgress {
        Checks.notNegative(tasksStarted, "tasks_started");
        Checks.notNegative(tasksEnded, "tasks_ended");
        Checks.notNegative(items, "mailbox_items");
        Checks.notNegative(acknowledged, "mailbox_acknowledged");
        Checks.notNegative(mailboxFrom, "mailbox_from_seq");
        if (tasksEnded > tasksStarted) {
            throw new IllegalArgumentException("tasks_ended " + tasksEnded + " exceeds tasks_started " + tasksStarted);
        }
        if (acknowledged > items) {
            throw new IllegalArgumentException(
                    "mailbox_acknowledged " + acknowledged + " exceeds mailbox_items " + items);
        }
        if (webhook != null && webhook.items() > items) {
            throw new IllegalArgumentException("webhook_items " + webhook.items() + " exceeds mailbox_items " + items);
        }
    }

    /** Without a webhook. */
    public SessionProgress(long tasksStarted, long tasksEnded, long items, long acknowledged, long mailboxFrom) {
        this(tasksStarted, tasksEnded, items, acknowledged, mailboxFrom, null);
    }

    public SessionProgress withTaskStarted() {
        return new SessionProgress(tasksStarted + 1, tasksEnded, items, acknowledged, mailboxFrom, webhook);
    }

    /** The end of a task is a mailbox item too. A task whose start was not recorded is counted as started then. */
    public SessionProgress withTaskEnded() {
        return new SessionProgress(
                Math.max(tasksStarted, tasksEnded + 1), tasksEnded + 1, items + 1, acknowledged, mailboxFrom, webhook);
    }

    /** The end of a task that is no mailbox item. */
    public SessionProgress withTaskEndedQuietly() {
        return new SessionProgress(
                Math.max(tasksStarted, tasksEnded + 1), tasksEnded + 1, items, acknowledged, mailboxFrom, webhook);
    }

    public SessionProgress withItem() {
        return new SessionProgress(tasksStarted, tasksEnded, items + 1, acknowledged, mailboxFrom, webhook);
    }

    /** @param count the number of items between {@link #mailboxFrom} and {@code throughSeq}, inclusive */
    public SessionProgress withAcknowledged(long count, long throughSeq) {
        return new SessionProgress(tasksStarted, tasksEnded, items, acknowledged + count, throughSeq + 1, webhook);
    }

    public SessionProgress with(@Nullable WebhookProgress changed) {
        return new SessionProgress(tasksStarted, tasksEnded, items, acknowledged, mailboxFrom, changed);
    }

    /** The number of items that are not acknowledged. */
    public long waiting() {
        return items - acknowledged;
    }

    /** The number of items that the furthest of its readers, the owner and the webhook, has not dealt with. */
    public long unread() {
        return webhook == null || !webhook.set() ? waiting() : Math.min(waiting(), items - webhook.items());
    }

    void writeJson(JsonWriter json) {
        json.number("tasks_started", tasksStarted);
        json.number("tasks_ended", tasksEnded);
        json.number("mailbox_items", items);
        json.number("mailbox_acknowledged", acknowledged);
        json.number("mailbox_from_seq", mailboxFrom);
        if (webhook != null) {
            webhook.writeJson(json);
        }
    }

    static SessionProgress readJson(JsonFields fields) {
        return new SessionProgress(
                fields.number("tasks_started"),
                fields.number("tasks_ended"),
                fields.number("mailbox_items"),
                fields.number("mailbox_acknowledged"),
                fields.number("mailbox_from_seq"),
                WebhookProgress.readJson(fields));
    }

    /** At the end of a frame's stored form. */
    void writeStored(ByteWriter out) {
        writeCounters(out);
        writeMore(out);
    }

    static SessionProgress readStored(ByteReader in) {
        return readCounters(in).readMore(in);
    }

    /** The part of the first version, for a frame that has fields behind it. */
    void writeCounters(ByteWriter out) {
        out.writeNumber(tasksStarted);
        out.writeNumber(tasksEnded);
        out.writeNumber(items);
        out.writeNumber(acknowledged);
        out.writeNumber(mailboxFrom);
    }

    static SessionProgress readCounters(ByteReader in) {
        return new SessionProgress(in.readNumber(), in.readNumber(), in.readNumber(), in.readNumber(), in.readNumber());
    }

    /** The part that {@link #writeCounters} leaves out; at the end of a frame's stored form. */
    void writeMore(ByteWriter out) {
        if (webhook != null) {
            webhook.writeStored(out);
        }
    }

    SessionProgress readMore(ByteReader in) {
        return in.hasMore() ? with(WebhookProgress.readStored(in)) : this;
    }
}
