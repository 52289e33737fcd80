package io.penstock.engine.log;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.FrameBody;
import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.penstock.frames.ToolTaskOutputDelta;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The error messages of a frame log, the same for every implementation. */
public final class LogFailures {

    private LogFailures() {}

    public static Failure hasWriter(StreamId stream) {
        return new Failure(
                FailureCode.STREAM_HAS_WRITER,
                "The stream of " + stream + " has a writer already; a stream has one writer at a time");
    }

    public static Failure fenced(StreamId stream) {
        return new Failure(
                FailureCode.WRITER_FENCED,
                "Another writer has taken over the stream of " + stream + "; this writer can no longer append");
    }

    public static Failure released(StreamId stream) {
        return new Failure(
                FailureCode.INVALID_REQUEST, "This writer has released the stream of " + stream + "; open it again");
    }

    public static Failure noStream(StreamId stream) {
        return new Failure(FailureCode.STREAM_NOT_FOUND, "There is no stream of " + stream);
    }

    public static Failure badRange(long fromSeq, int maxFrames) {
        return new Failure(
                FailureCode.INVALID_REQUEST,
                "A read begins at seq 0 or later and asks for 1 frame or more, not for " + maxFrames + " from "
                        + fromSeq);
    }

    public static Failure backlogged(@Nullable StreamId stream) {
        return new Failure(
                FailureCode.LOG_BACKLOGGED,
                stream == null
                        ? "The log has no room, and too many writes are waiting for room; try again later"
                        : "The log has no room, and " + Limits.WAITING_APPENDS_PER_STREAM + " appends to the stream of "
                                + stream + " are waiting; wait for them before appending more");
    }

    public static Failure exists(StreamId stream) {
        return new Failure(FailureCode.INVALID_REQUEST, "The stream of " + stream + " already exists; open it");
    }

    public static Failure tooLarge(StreamId stream, int bytes) {
        return new Failure(
                FailureCode.INVALID_REQUEST,
                "A frame has at most " + Limits.FRAME_BODY_BYTES + " bytes in its stored form, this one for " + stream
                        + " has " + bytes);
    }

    public static Failure closed() {
        return new Failure(FailureCode.LOG_UNAVAILABLE, "The log is closed");
    }

    public static Failure broken(String why, @Nullable Throwable cause) {
        return new Failure(FailureCode.LOG_UNAVAILABLE, "The log has stopped: " + why, cause);
    }

    public static Failure databaseAway(String why, @Nullable Throwable cause) {
        return new Failure(FailureCode.DATABASE_UNAVAILABLE, "Postgres does not answer: " + why, cause);
    }

    public static Failure foreignDatabase(Path journal, long begins, long drained) {
        return new Failure(
                FailureCode.LOG_UNAVAILABLE,
                "The journal in " + journal + " begins at position " + begins
                        + ", but the database has it up to position "
                        + drained
                        + " only: it is a different database, or an older copy of it, or journal files"
                        + " were deleted. Use the database that belongs to this journal, or move the folder away to start"
                        + " a new one");
    }

    /** A {@link Failure} unchanged; a record's validation error becomes the caller's mistake. */
    public static Failure refused(RuntimeException e) {
        return e instanceof Failure failure
                ? failure
                : new Failure(FailureCode.INVALID_REQUEST, String.valueOf(e.getMessage()), e);
    }

    /** The body as the log stores it: output by reference, without its text. */
    public static FrameBody recordable(FrameBody body) {
        return body instanceof ToolTaskOutputDelta delta ? delta.byReference() : body;
    }
}
