package io.penstock.engine.log;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.FrameBody;
import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.penstock.frames.ToolTaskOutputDelta;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The sentences in which a log refuses; the same for every implementation. */
final class LogFailures {

    private LogFailures() {}

    static Failure hasWriter(StreamId stream) {
        return new Failure(
                FailureCode.STREAM_HAS_WRITER,
                "The stream of " + stream + " has a writer already; a stream has one writer at a time");
    }

    static Failure fenced(StreamId stream) {
        return new Failure(
                FailureCode.WRITER_FENCED,
                "Another writer has taken over the stream of " + stream + "; this one may not append any more");
    }

    static Failure released(StreamId stream) {
        return new Failure(
                FailureCode.INVALID_REQUEST, "This writer has let go of the stream of " + stream + "; open it again");
    }

    static Failure noStream(StreamId stream) {
        return new Failure(FailureCode.STREAM_NOT_FOUND, "There is no stream of " + stream);
    }

    static Failure badRange(long fromSeq, int maxFrames) {
        return new Failure(
                FailureCode.INVALID_REQUEST,
                "A read begins at seq 0 or later and asks for 1 frame or more, not for " + maxFrames + " from "
                        + fromSeq);
    }

    static Failure backlogged(@Nullable StreamId stream) {
        return new Failure(
                FailureCode.LOG_BACKLOGGED,
                stream == null
                        ? "The log has no room, and too many writes wait for some already; try again later"
                        : "The log has no room, and " + Limits.WAITING_APPENDS_PER_STREAM + " appends to the stream of "
                                + stream + " wait already; wait for them before appending more");
    }

    static Failure exists(StreamId stream) {
        return new Failure(FailureCode.INVALID_REQUEST, "The stream of " + stream + " has been begun already; open it");
    }

    static Failure tooLarge(StreamId stream, int bytes) {
        return new Failure(
                FailureCode.INVALID_REQUEST,
                "A frame has at most " + Limits.FRAME_BODY_BYTES + " bytes in its stored form, this one for " + stream
                        + " has " + bytes);
    }

    static Failure closed() {
        return new Failure(FailureCode.LOG_UNAVAILABLE, "The log is closed");
    }

    static Failure broken(String why, @Nullable Throwable cause) {
        return new Failure(FailureCode.LOG_UNAVAILABLE, "The log has stopped: " + why, cause);
    }

    static Failure databaseAway(String why, @Nullable Throwable cause) {
        return new Failure(FailureCode.DATABASE_UNAVAILABLE, "Postgres does not answer: " + why, cause);
    }

    static Failure foreignDatabase(Path journal, long begins, long drained) {
        return new Failure(
                FailureCode.LOG_UNAVAILABLE,
                "The journal in " + journal + " begins at position " + begins
                        + ", but the database has it up to position "
                        + drained
                        + " only: it is another database than before, or an older copy of it, or journal files"
                        + " were deleted. Give the database that belongs to this journal, or move the folder away to begin"
                        + " a new one");
    }

    /** A failure as it is, a record's complaint as the caller's mistake. */
    static Failure refused(RuntimeException e) {
        return e instanceof Failure failure
                ? failure
                : new Failure(FailureCode.INVALID_REQUEST, String.valueOf(e.getMessage()), e);
    }

    /** The body as a log keeps it: output by reference, its text left to those who have the bytes. */
    static FrameBody recordable(FrameBody body) {
        return body instanceof ToolTaskOutputDelta delta && delta.text() != null
                ? new ToolTaskOutputDelta(delta.channel(), delta.offset(), delta.bytes(), delta.bytesStored())
                : body;
    }
}
