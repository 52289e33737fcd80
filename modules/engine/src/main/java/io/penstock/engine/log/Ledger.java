package io.penstock.engine.log;

import io.penstock.engine.log.journal.Journal;
import io.penstock.engine.log.journal.JournalSettings;
import io.penstock.engine.log.journal.JournalState;
import io.penstock.engine.log.journal.JournalStats;
import io.penstock.engine.log.journal.Recovery;
import io.penstock.engine.log.postgres.Database;
import io.penstock.engine.log.postgres.Partitions;
import io.penstock.engine.log.postgres.Sql;
import io.penstock.frames.Failure;
import io.penstock.frames.Limits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.HashMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal, the database behind it, the log and the idempotency keys on top of them: opened together, in the order that loses nothing. When it
 * is open, all that an earlier process had accepted is in the database.
 */
public final class Ledger {

    private static final Logger log = LoggerFactory.getLogger(Ledger.class);

    /** Reads that run at once; each is short. */
    private static final int READ_CONNECTIONS = 4;

    private static final long REPLAY_WITHIN_SECONDS = 600;

    private final Vertx vertx;
    private final Database database;
    private final Journal journal;
    private final JournalGate gate;
    private final JournalDrain drain;
    private final JournaledFrameLog frames;
    private final Idempotency idempotency;
    private final TaskIndex tasks;
    private final KeyRetention retention;

    private Ledger(
            Vertx vertx,
            Database database,
            Journal journal,
            JournalGate gate,
            JournalDrain drain,
            JournaledFrameLog frames,
            Idempotency idempotency,
            TaskIndex tasks,
            KeyRetention retention) {
        this.vertx = vertx;
        this.database = database;
        this.journal = journal;
        this.gate = gate;
        this.drain = drain;
        this.frames = frames;
        this.idempotency = idempotency;
        this.tasks = tasks;
        this.retention = retention;
    }

    /** Opens the ledger, or fails with a sentence for people and nothing changed. */
    public static Future<Ledger> open(Vertx vertx, LedgerSettings settings) {
        return open(vertx, settings, System::currentTimeMillis);
    }

    static Future<Ledger> open(Vertx vertx, LedgerSettings settings, LongSupplier clockMs) {
        return open(vertx, settings, clockMs, JournalDrain.ANSWER_WITHIN_MS);
    }

    static Future<Ledger> open(Vertx vertx, LedgerSettings settings, LongSupplier clockMs, long answerWithinMs) {
        return Database.open(vertx, settings.database(), settings.schema(), READ_CONNECTIONS)
                .compose(database -> journal(vertx, settings, database)
                        .compose(journal -> open(vertx, settings, database, journal, clockMs, answerWithinMs)
                                .onFailure(e -> journal.close()))
                        .onFailure(e -> database.close()));
    }

    /** Opened first, since it locks its folder: only who has it may claim the node. */
    private static Future<Journal> journal(Vertx vertx, LedgerSettings settings, Database database) {
        return vertx.executeBlocking(() -> Journal.idIn(settings.journal()).orElseGet(UUID::randomUUID))
                .compose(id -> database.pool()
                        .preparedQuery(Sql.named("find_node"))
                        .execute(Tuple.of(id))
                        .map(rows ->
                                rows.size() == 0 ? 0L : rows.iterator().next().getLong("drained"))
                        .compose(drained -> vertx.executeBlocking(() -> opened(settings, id, drained))));
    }

    private static Journal opened(LedgerSettings settings, UUID id, long drained) {
        Journal journal = Journal.open(
                new JournalSettings(
                        settings.journal(),
                        id,
                        settings.segmentBytes(),
                        Limits.FRAME_BODY_BYTES + 1024,
                        settings.backlogBytes(),
                        settings.fsync()),
                drained);
        Recovery recovery = journal.recovery();
        for (String sentence : recovery.sentences()) {
            log.warn("{}", sentence);
        }
        if (journal.releasedPosition() > drained) {
            long begins = journal.releasedPosition();
            journal.close();
            throw LogFailures.foreignDatabase(settings.journal(), begins, drained);
        }
        return journal;
    }

    private static Future<Ledger> open(
            Vertx vertx,
            LedgerSettings settings,
            Database database,
            Journal journal,
            LongSupplier clockMs,
            long answerWithinMs) {
        UUID id = Journal.idIn(settings.journal()).orElseThrow();
        return claim(database, id).compose(node -> {
            var gate = new JournalGate(journal, settings.fsync());
            var drain = new JournalDrain(vertx, database, journal, gate::acceptedPosition, node, answerWithinMs);
            int today = StreamNumbers.dayOfMillis(clockMs.getAsLong());
            return drain.drainAll()
                    .timeout(REPLAY_WITHIN_SECONDS, TimeUnit.SECONDS)
                    .compose(replayed -> numbers(database, node.nodeNo(), today))
                    .compose(numbers -> {
                        var reads = new LedgerReads(database);
                        var frames = new JournaledFrameLog(vertx, gate, journal, reads, numbers, clockMs);
                        var idempotency = new Idempotency(gate, reads, clockMs);
                        var retention = new KeyRetention(vertx, database, clockMs);
                        drain.tell(frames);
                        drain.tell(idempotency::drained);
                        gate.afterWrite(drain::wake);
                        return retention
                                .dropPast()
                                .map(dropped -> new Ledger(
                                        vertx,
                                        database,
                                        journal,
                                        gate,
                                        drain,
                                        frames,
                                        idempotency,
                                        new DrainedTasks(drain, reads),
                                        retention));
                    })
                    .onFailure(e -> drain.stop());
        });
    }

    private static Future<NodeClaim> claim(Database database, UUID id) {
        return database.pool()
                .preparedQuery(Sql.named("claim_node"))
                .execute(Tuple.of(id, 0L))
                .map(rows -> {
                    Row row = rows.iterator().next();
                    return new NodeClaim(row.getInteger("node_no"), row.getLong("epoch"), row.getLong("drained"));
                });
    }

    private static Future<StreamNumbers> numbers(Database database, int nodeNo, int today) {
        StreamNumbers.Range range = StreamNumbers.Range.of(nodeNo, today);
        return database.pool()
                .preparedQuery(Sql.named("last_stream_no"))
                .execute(Tuple.of(range.first(), range.last(), Partitions.firstStreamNo(today + 1L), nodeNo))
                .map(rows -> {
                    var lastGiven = new HashMap<Integer, Long>();
                    for (Row row : rows) {
                        Long last = row.getLong("last");
                        if (last != null) {
                            lastGiven.put(StreamNumbers.dayOf(last), last);
                        }
                    }
                    return new StreamNumbers(nodeNo, today, lastGiven);
                });
    }

    public FrameLog frames() {
        return frames;
    }

    public Idempotency idempotency() {
        return idempotency;
    }

    /** Finds tasks, also those of earlier processes. */
    public TaskIndex tasks() {
        return tasks;
    }

    /** What opening found of the journal, and what it had to cut. */
    public Recovery recovery() {
        return journal.recovery();
    }

    /** Completes when all that is accepted now has reached Postgres. */
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

    /** Stops accepting; what is accepted and not drained yet stays in the journal. */
    public Future<Void> close() {
        retention.stop();
        return frames.close()
                .compose(closed -> drain.stop())
                .eventually(() -> vertx.executeBlocking(() -> {
                    journal.close();
                    return null;
                }))
                .eventually(database::close);
    }
}
