package io.penstock.frames;

/**
 * A session's counters after one of its frames. Every frame of a session carries them, so the last frame alone says how
 * the session stands, however many came before it.
 *
 * @param tasksStarted tasks that were started for the session
 * @param tasksEnded those of them that have ended
 * @param items mailbox items so far
 * @param acknowledged mailbox items that were acknowledged; items are acknowledged in order
 * @param mailboxFrom the seq from which the items lie that are not acknowledged
 */
public record SessionProgress(long tasksStarted, long tasksEnded, long items, long acknowledged, long mailboxFrom) {

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
    }

    public SessionProgress withTaskStarted() {
        return new SessionProgress(tasksStarted + 1, tasksEnded, items, acknowledged, mailboxFrom);
    }

    /** The end of a task is a mailbox item too. A task whose start was not recorded is counted as started then. */
    public SessionProgress withTaskEnded() {
        return new SessionProgress(
                Math.max(tasksStarted, tasksEnded + 1), tasksEnded + 1, items + 1, acknowledged, mailboxFrom);
    }

    public SessionProgress withItem() {
        return new SessionProgress(tasksStarted, tasksEnded, items + 1, acknowledged, mailboxFrom);
    }

    /** @param count the number of items between {@link #mailboxFrom} and {@code throughSeq}, inclusive */
    public SessionProgress withAcknowledged(long count, long throughSeq) {
        return new SessionProgress(tasksStarted, tasksEnded, items, acknowledged + count, throughSeq + 1);
    }

    /** The number of items that are not acknowledged. */
    public long waiting() {
        return items - acknowledged;
    }

    void writeJson(JsonWriter json) {
        json.number("tasks_started", tasksStarted);
        json.number("tasks_ended", tasksEnded);
        json.number("mailbox_items", items);
        json.number("mailbox_acknowledged", acknowledged);
        json.number("mailbox_from_seq", mailboxFrom);
    }

    static SessionProgress readJson(JsonFields fields) {
        return new SessionProgress(
                fields.number("tasks_started"),
                fields.number("tasks_ended"),
                fields.number("mailbox_items"),
                fields.number("mailbox_acknowledged"),
                fields.number("mailbox_from_seq"));
    }

    void writeStored(ByteWriter out) {
        out.writeNumber(tasksStarted);
        out.writeNumber(tasksEnded);
        out.writeNumber(items);
        out.writeNumber(acknowledged);
        out.writeNumber(mailboxFrom);
    }

    static SessionProgress readStored(ByteReader in) {
        return new SessionProgress(in.readNumber(), in.readNumber(), in.readNumber(), in.readNumber(), in.readNumber());
    }
}
