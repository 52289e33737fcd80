package io.penstock.engine.ledger;

import io.penstock.engine.log.BlockingSteps;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.LogFailures;
import io.penstock.engine.log.Rollback;
import io.penstock.engine.log.SessionIndex;
import io.penstock.engine.log.TaskIndex;
import io.penstock.engine.log.drain.JournalDrain;
import io.penstock.engine.log.drain.NodeClaim;
import io.penstock.engine.log.drain.StreamNumbers;
import io.penstock.engine.log.journal.Journal;
import io.penstock.engine.log.journal.JournalSettings;
import io.penstock.engine.log.journal.JournalState;
import io.penstock.engine.log.journal.JournalStats;
import io.penstock.engine.log.journal.Recovery;
import io.penstock.engine.log.once.Idempotency;
import io.penstock.engine.log.once.KeyRetention;
import io.penstock.engine.log.postgres.Database;
import io.penstock.engine.log.postgres.Partitions;
import io.penstock.engine.log.postgres.PostgresUnavailable;
import io.penstock.engine.log.postgres.Sql;
import io.penstock.engine.log.retention.LedgerRetention;
import io.penstock.engine.log.store.DrainedIndex;
import io.penstock.engine.log.store.JournalGate;
import io.penstock.engine.log.store.JournaledFrameLog;
import io.penstock.engine.log.store.LedgerReads;
import io.penstock.engine.log.store.OverdueAnswers;
import io.penstock.frames.Failure;
import io.penstock.frames.Limits;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.HashMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the journal, the database behind it, and the log and the idempotency keys on top of them, in the order that
 * loses nothing. When the ledger is open, the database has everything that an earlier process had accepted.
 */
public final class Ledger {

    private static final Logger log = LoggerFactory.getLogger(Ledger.class);

    /** Concurrent reads; each is short. */
    private static final int READ_CONNECTIONS = 4;

    private static final long REPLAY_WITHIN_SECONDS = 600;

    private final Vertx vertx;
    private final Database database;
    private final SchemaHold hold;
    private final Journal journal;
    private final JournalGate gate;
    private final JournalDrain drain;
    private final JournaledFrameLog frames;
    private final Idempotency idempotency;
    private final DrainedIndex index;
    private final KeyRetention retention;
    private final LedgerRetention streamRetention;

    private Ledger(
            Vertx vertx,
            Database database,
            SchemaHold hold,
            Journal journal,
            JournalGate gate,
            JournalDrain drain,
            JournaledFrameLog frames,
            Idempotency idempotency,
            DrainedIndex index,
            KeyRetention retention,
            LedgerRetention streamRetention) {
        this.vertx = vertx;
        this.database = database;
        this.hold = hold;
        this.journal = journal;
        this.gate = gate;
        this.drain = drain;
        this.frames = frames;
        this.idempotency = idempotency;
        this.index = index;
        this.retention = retention;
        this.streamRetention = streamRetention;
    }

    /** Opens the ledger, or fails with a message for the user and changes nothing. */
    public static Future<Ledger> open(Vertx vertx, LedgerSettings settings) {
        return open(vertx, settings, System::currentTimeMillis);
    }

    public static Future<Ledger> open(Vertx vertx, LedgerSettings settings, LongSupplier clockMs) {
        return open(vertx, settings, clockMs, JournalDrain.ANSWER_WITHIN_MS);
    }

    static Future<Ledger> open(Vertx vertx, LedgerSettings settings, LongSupplier clockMs, long answerWithinMs) {
        // The drain's: in a server, that of the verticle that opens the ledger.
        Context drainContext = vertx.getOrCreateContext();
        return BlockingSteps.run(() -> open(vertx, settings, clockMs, answerWithinMs, drainContext));
    }

    private static Ledger open(
            Vertx vertx, LedgerSettings settings, LongSupplier clockMs, long answerWithinMs, Context drainContext)
            throws PostgresUnavailable {
        try (var rollback = new Rollback()) {
            Database database = rollback.add(
                    Database.open(vertx, settings.database(), settings.schema(), READ_CONNECTIONS)
                            .await(),
                    Database::close);
            UUID id = Journal.idIn(settings.journal()).orElseGet(UUID::randomUUID);
            SchemaHold hold =
                    rollback.add(SchemaHold.acquire(vertx, database, settings.schema(), id), SchemaHold::release);
            // Opened before the node is claimed, since it locks its folder: only the process with the lock may claim.
            Journal journal = rollback.add(openJournal(settings, database, id), Journal::close);
            NodeClaim node = claim(database, id);
            var gate = new JournalGate(journal, settings.fsync());
            JournalDrain drain = rollback.add(
                    new JournalDrain(
                            vertx, drainContext, database, journal, gate::acceptedPosition, node, answerWithinMs),
                    JournalDrain::stop);
            drain.drainAll().timeout(REPLAY_WITHIN_SECONDS, TimeUnit.SECONDS).await();

            int today = StreamNumbers.dayOfMillis(clockMs.getAsLong());
            StreamNumbers numbers = numbers(database, node.nodeNo(), today);
            var overdue = new OverdueAnswers(vertx, database);
            var reads = new LedgerReads(database, overdue);
            var frames = new JournaledFrameLog(vertx, gate, journal, reads, numbers, clockMs);
            var idempotency = new Idempotency(gate, reads, clockMs);
            drain.notify(frames);
            drain.notify(idempotency::drained);
            gate.afterWrite(drain::wake);
            var retention = new KeyRetention(vertx, database, clockMs);
            retention.dropExpired();
            rollback.cancel();
            return new Ledger(
                    vertx,
                    database,
                    hold,
                    journal,
                    gate,
                    drain,
                    frames,
                    idempotency,
                    new DrainedIndex(drain, reads, overdue),
                    retention,
                    new LedgerRetention(database, frames, reads, node, clockMs));
        }
    }

    private static Journal openJournal(LedgerSettings settings, Database database, UUID id) {
        RowSet<Row> node = database.pool()
                .preparedQuery(Sql.named("find_node"))
                .execute(Tuple.of(id))
                .await();
        long drained = node.size() == 0 ? 0 : node.iterator().next().getLong("drained");
        Journal journal = Journal.open(
                new JournalSettings(
                        settings.journal(),
                        id,
                        settings.segmentBytes(),
                        Limits.FRAME_BODY_BYTES + 1024,
                        settings.backlogBytes(),
                        settings.fsync()),
                drained);
        for (String sentence : journal.recovery().sentences()) {
            log.warn("{}", sentence);
        }
        long begins = journal.releasedPosition();
        if (begins > drained) {
            journal.close();
            throw LogFailures.foreignDatabase(settings.journal(), begins, drained);
        }
        return journal;
    }

    private static NodeClaim claim(Database database, UUID id) {
        Row row = database.pool()
                .preparedQuery(Sql.named("claim_node"))
                .execute(Tuple.of(id, 0L))
                .await()
                .iterator()
                .next();
        return new NodeClaim(row.getInteger("node_no"), row.getLong("epoch"), row.getLong("drained"));
    }

    private static StreamNumbers numbers(Database database, int nodeNo, int today) {
        StreamNumbers.Range range = StreamNumbers.Range.of(nodeNo, today);
        RowSet<Row> rows = database.pool()
                .preparedQuery(Sql.named("last_stream_no"))
                .execute(Tuple.of(range.first(), range.last(), Partitions.firstStreamNo(today + 1L), nodeNo))
                .await();
        var lastGiven = new HashMap<Integer, Long>();
        for (Row row : rows) {
            Long last = row.getLong("last");
            if (last != null) {
                lastGiven.put(StreamNumbers.dayOf(last), last);
            }
        }
        return new StreamNumbers(nodeNo, today, lastGiven);
    }

    public FrameLog frames() {
        return frames;
    }

    public Idempotency idempotency() {
        return idempotency;
    }

    /** Finds tasks, including those of earlier processes. */
    public TaskIndex tasks() {
        return index;
    }

    /** Finds sessions, including those of earlier processes. */
    public SessionIndex sessions() {
        return index;
    }

    /** Keeps the ledger within its limits. */
    public LedgerRetention retention() {
        return streamRetention;
    }

    /** The findings at the opening of the journal, and the parts that had to be cut. */
    public Recovery recovery() {
        return journal.recovery();
    }

    /** Completes when everything accepted so far has reached Postgres. */
    public Future<Void> drained() {
        return drain.drainAll();
    }

    public LedgerHealth health() {
        JournalStats stats = journal.stats();
        Failure broken = gate.refusal();
        JournalState state = stats.state();
        return new LedgerHealth(
                broken == null ? null : broken.getMessage(),
                drain.away(),
                state,
                stats.segments(),
                drain.undrainedBytes(),
                gate.waiting(),
                frames.streamsInUse());
    }

    /** Stops accepting; accepted records that are not drained yet stay in the journal. */
    public Future<Void> close() {
        retention.stop();
        return frames.close()
                .compose(closed -> drain.stop())
                .eventually(() -> vertx.executeBlocking(() -> {
                    journal.close();
                    return null;
                }))
                .eventually(hold::release)
                .eventually(database::close);
    }
}
