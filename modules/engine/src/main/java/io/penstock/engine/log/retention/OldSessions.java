package io.penstock.engine.log.retention;

import io.penstock.engine.log.postgres.Sql;
import io.penstock.frames.ByteReader;
import io.penstock.frames.FrameBody;
import io.penstock.frames.FrameType;
import io.penstock.frames.SessionAcknowledged;
import io.penstock.frames.SessionFrame;
import io.penstock.frames.SessionProgress;
import io.penstock.frames.SessionTaskEnded;
import io.penstock.frames.SessionWatcherHit;
import io.penstock.frames.StoredForm;
import io.penstock.frames.ToolEnded;
import io.penstock.frames.WebhookProgress;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which sessions stay, and which tasks stay for the sake of their mailboxes. Blocks. */
final class OldSessions {

    /** Rows of a KiB or less. */
    private static final int PAGE = 1_000;

    private final SqlClient client;
    private final long belowStreamNo;
    private final long idleSinceMs;
    private final long readSinceMs;
    private final Set<Long> staying = new HashSet<>();
    private final Set<String> undelivered = new HashSet<>();

    /**
     * @param belowStreamNo sessions from this number on stay anyway
     * @param idleSinceMs sessions that were used at this time or later stay
     * @param readSinceMs a mailbox of which something was acknowledged at this time or later is in use
     */
    OldSessions(SqlClient client, long belowStreamNo, long idleSinceMs, long readSinceMs) {
        this.client = client;
        this.belowStreamNo = belowStreamNo;
        this.idleSinceMs = idleSinceMs;
        this.readSinceMs = readSinceMs;
    }

    /** The numbers of old sessions that stay. */
    Set<Long> staying() {
        return staying;
    }

    /** The ids of tasks with an item that nobody has acknowledged, in a mailbox that is in use. */
    Set<String> undelivered() {
        return undelivered;
    }

    OldSessions read() {
        long after = -1;
        int rows = PAGE;
        while (rows == PAGE) {
            rows = 0;
            for (Row row : query("page_of_sessions", Tuple.of(after, PAGE))) {
                rows++;
                after = row.getLong("stream_no");
                read(after, row);
            }
        }
        return this;
    }

    private void read(long streamNo, Row row) {
        String id = row.getString("stream_id");
        SessionProgress progress = body(row) instanceof SessionFrame frame ? frame.progress() : null;
        boolean waits = progress != null && hasUndelivered(streamNo, progress);
        boolean stays = waits || row.getLong("at_ms") >= idleSinceMs || progress != null && hasUnfinished(id, progress);
        if (stays && streamNo < belowStreamNo) {
            staying.add(streamNo);
        }
    }

    private boolean hasUnfinished(String id, SessionProgress progress) {
        return progress.tasksEnded() < progress.tasksStarted()
                && query("has_unfinished_tasks", Tuple.of(id)).iterator().next().getBoolean("found");
    }

    /** Whether the session has items that its webhook has not delivered, or that are not acknowledged in a mailbox that is read. */
    private boolean hasUndelivered(long streamNo, SessionProgress progress) {
        WebhookProgress webhook = progress.webhook();
        if (webhook != null && webhook.set() && webhook.items() < progress.items()) {
            return findUndelivered(streamNo, Math.min(webhook.fromSeq(), progress.mailboxFrom()), true);
        }
        return progress.waiting() > 0
                && progress.acknowledged() > 0
                && findUndelivered(streamNo, progress.mailboxFrom(), false);
    }

    /** Whether the mailbox is in use; then its items are undelivered. */
    private boolean findUndelivered(long streamNo, long fromSeq, boolean delivered) {
        var items = new HashSet<String>();
        boolean used = delivered;
        long from = fromSeq;
        int rows = PAGE;
        while (rows == PAGE) {
            rows = 0;
            for (Row row : query("unacknowledged_items", Tuple.of(streamNo, from, PAGE))) {
                rows++;
                from = row.getLong("seq") + 1;
                switch (body(row)) {
                    case ToolEnded ended -> items.add(ended.task().id());
                    case SessionTaskEnded ended
                    when ended.notifies() -> items.add(ended.task().id());
                    case SessionWatcherHit hit -> items.add(hit.task().id());
                    case SessionAcknowledged _ -> used |= row.getLong("at_ms") >= readSinceMs;
                    case null, default -> {}
                }
            }
        }
        if (used) {
            undelivered.addAll(items);
        }
        return used;
    }

    private static @Nullable FrameBody body(Row row) {
        return StoredForm.read(
                FrameType.ofCode(row.getShort("type")),
                new ByteReader(row.getBuffer("body").getBytes()));
    }

    private RowSet<Row> query(String statement, Tuple parameters) {
        return client.preparedQuery(Sql.named(statement)).execute(parameters).await();
    }
}
