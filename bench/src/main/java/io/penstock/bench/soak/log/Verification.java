package io.penstock.bench.soak.log;

import io.penstock.bench.soak.SoakFailure;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerSettings;
import io.penstock.engine.log.Page;
import io.penstock.engine.log.postgres.Database;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Row;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads the log back and compares it with the book of accepted frames. */
final class Verification {

    /** After damage, accepted frames that were not yet in Postgres may be missing; nothing else. */
    enum Loss {
        NONE,
        OF_UNDRAINED
    }

    /** @param cut accepted frames that are missing; only with {@link Loss#OF_UNDRAINED} */
    record Findings(int streams, long frames, long cut, List<String> recovered) {}

    private static final long WITHIN_SECONDS = 300;

    private final Vertx vertx;
    private final LedgerSettings settings;

    Verification(Vertx vertx, LedgerSettings settings) {
        this.vertx = vertx;
        this.settings = settings;
    }

    /** Opens the log, which replays its journal, and reads these streams from their first frame to their last. */
    Findings of(Map<String, StreamBook> streams, Set<String> allNames, Loss loss) {
        Map<String, Long> drained = loss == Loss.NONE ? Map.of() : framesInPostgres();
        Ledger ledger = get(Ledger.open(vertx, settings));
        try {
            var read = new HashMap<String, Long>();
            long frames = 0;
            long cut = 0;
            for (Map.Entry<String, StreamBook> entry : streams.entrySet()) {
                String stream = entry.getKey();
                StreamBook book = entry.getValue();
                int promised = book.count();
                long there = read(ledger, stream, book, loss);
                long atLeast = loss == Loss.NONE ? promised : Math.min(promised, drained.getOrDefault(stream, 0L));
                if (there < atLeast) {
                    throw new SoakFailure(stream + ": " + atLeast + " frames must be there, " + there + " are");
                }
                if (there < promised || there == 0 && loss == Loss.OF_UNDRAINED) {
                    cut += promised - there;
                    book.cutTo((int) there);
                }
                read.put(stream, there);
                frames += there;
            }
            List<String> recovered = ledger.recovery().sentences();
            if (cut > 0 && recovered.isEmpty()) {
                throw new SoakFailure(cut + " frames are gone, and the recovery of the journal said nothing of it");
            }
            compare(read, allNames);
            return new Findings(read.size(), frames, cut, recovered);
        } finally {
            get(ledger.close());
        }
    }

    private static long read(Ledger ledger, String stream, StreamBook book, Loss loss) {
        long seq = 0;
        long writer = 0;
        while (true) {
            Page page;
            try {
                page = get(ledger.frames().read(StreamId.task(stream), seq, Limits.PAGE_FRAMES));
            } catch (SoakFailure e) {
                boolean missing = e.getCause() instanceof Failure f && f.code() == FailureCode.STREAM_NOT_FOUND;
                if (missing && seq == 0 && (loss == Loss.OF_UNDRAINED || book.mayBeMissing())) {
                    return 0;
                }
                throw e;
            }
            if (page.frames().isEmpty()) {
                return seq;
            }
            for (Frame frame : page.frames()) {
                if (frame.seq() != seq) {
                    throw new SoakFailure(stream + ": seq " + frame.seq() + " was read where " + seq + " was due");
                }
                if (frame.timestampMs() < writer) {
                    throw new SoakFailure(stream + ": seq " + seq + " is of writer " + frame.timestampMs()
                            + ", though writer " + writer + " had come before");
                }
                writer = frame.timestampMs();
                if (!frame.body().equals(SoakBody.of(stream, seq, writer))) {
                    throw new SoakFailure(stream + ": what is at seq " + seq + " is not what writer " + writer
                            + " appended there: " + frame.body());
                }
                book.seen(seq, SoakBody.checksum(frame.body()));
                seq++;
            }
        }
    }

    /** Compares with the tables themselves, bypassing the log's code. */
    private void compare(Map<String, Long> read, Set<String> allNames) {
        Map<String, Long> tables = framesInPostgres();
        read.forEach((stream, frames) -> {
            // A stream that was begun just before the kill, and cut with the journal, is in no table.
            if (!frames.equals(tables.getOrDefault(stream, 0L))) {
                throw new SoakFailure(
                        stream + ": " + frames + " frames were read, the table has " + tables.get(stream));
            }
        });
        tables.forEach((stream, frames) -> {
            if (frames > 0 && !allNames.contains(stream)) {
                throw new SoakFailure("the stream " + stream + " was never reported, but has frames");
            }
        });
    }

    private Map<String, Long> framesInPostgres() {
        Database database = get(Database.open(vertx, settings.database(), settings.schema(), 1));
        try {
            var frames = new HashMap<String, Long>();
            for (Row row : get(database.pool().query("""
                            SELECT stream_id, count(seq) AS frames, count(DISTINCT seq) AS different,
                                   coalesce(min(seq), 0) AS first, coalesce(max(seq), -1) AS last
                            FROM frame FULL JOIN stream USING (stream_no) GROUP BY stream_no, stream_id""").execute())) {
                String stream = row.getString("stream_id");
                long count = row.getLong("frames");
                if (stream == null) {
                    throw new SoakFailure(count + " frames belong to no stream");
                }
                if (count != row.getLong("different")
                        || row.getLong("first") != 0
                        || row.getLong("last") != count - 1) {
                    throw new SoakFailure(stream + ": the table has a gap or a double: " + row.toJson());
                }
                if (frames.put(stream, count) != null) {
                    throw new SoakFailure(stream + ": the table has two streams of this name");
                }
            }
            return frames;
        } finally {
            get(database.close());
        }
    }

    static <T> T get(io.vertx.core.Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(WITHIN_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new SoakFailure(String.valueOf(e.getCause()), e.getCause());
        } catch (TimeoutException e) {
            throw new SoakFailure("no answer within " + WITHIN_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SoakFailure("interrupted", e);
        }
    }
}
