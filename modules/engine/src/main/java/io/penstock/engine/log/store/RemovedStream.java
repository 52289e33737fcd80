package io.penstock.engine.log.store;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.StreamId;
import io.penstock.frames.StreamKind;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * When and why a stream was removed.
 *
 * @param beforeMs all that had ended before this time was removed
 * @param keep how long tasks were kept then
 * @param keepBytes how large the ledger could become then
 */
record RemovedStream(long atMs, RemovalReason reason, long beforeMs, Duration keep, long keepBytes) {

    /** Of the digest, this many bytes follow the one that selects the bucket. */
    private static final int REST_BYTES = 7;

    private static final RemovalReason[] REASONS = RemovalReason.values();

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd").withZone(ZoneOffset.UTC);

    /** Null if the bytes that were found belong to two digests. */
    static @Nullable RemovedStream of(Row row) {
        return (row.getInteger("place") - 1) % REST_BYTES != 0
                ? null
                : new RemovedStream(
                        row.getLong("at_ms"),
                        REASONS[row.getShort("reason")],
                        row.getLong("before_ms"),
                        Duration.ofMillis(row.getLong("keep_ms")),
                        row.getLong("keep_bytes"));
    }

    /** As in {@code remove_streams.sql}. */
    static byte[] digest(StreamId stream) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest((stream.kind().code() + " " + stream.id()).getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    static Short bucket(byte[] digest) {
        return (short) Byte.toUnsignedInt(digest[0]);
    }

    static Buffer rest(byte[] digest) {
        return Buffer.buffer(Arrays.copyOfRange(digest, 1, 1 + REST_BYTES));
    }

    Failure failure(StreamId stream) {
        boolean task = stream.kind() == StreamKind.TASK;
        String when = "The " + stream + " was removed on " + DATE.format(Instant.ofEpochMilli(atMs));
        String why = switch (reason) {
            case AGE ->
                ", because " + (task ? "tasks are kept for " : "sessions that nobody uses are kept for ")
                        + keep.toDays() + " days";
            case SIZE ->
                " with all that had ended before " + DATE.format(Instant.ofEpochMilli(beforeMs))
                        + ", because the ledger had grown beyond " + (keepBytes >> 20) + " MiB";
        };
        return new Failure(task ? FailureCode.TASK_GONE : FailureCode.SESSION_GONE, when + why);
    }
}
