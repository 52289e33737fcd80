package io.penstock.engine.log.once;

import io.vertx.core.Promise;
import java.util.Arrays;

/** The state of an idempotency key. */
sealed interface KeyState {

    /**
     * A request's claim of the key.
     *
     * @param day the day of its partition, for good
     * @param atMs the start of its retention
     */
    record Claim(int day, byte[] fingerprint, long atMs) {

        boolean isFor(byte[] other) {
            return Arrays.equals(fingerprint, other);
        }
    }

    /** The database is being queried; further requests with this key retry when the result is known. */
    record LookingUp(Promise<Void> known) implements KeyState {}

    /** The operation is running, and all its requests wait for one answer. */
    record UnderWay(Claim claim, Promise<byte[]> answer) implements KeyState {}

    /** The operation completed with this answer. */
    record Answered(Claim claim, byte[] answer) implements KeyState {}

    /** The operation was started, and there is no answer, nor will there be. */
    record Unanswered(Claim claim) implements KeyState {}

    /**
     * The key is free: it was never used, it has expired, or it was released.
     *
     * @param fromDay the earliest day to write a claim to, since it must be newer than the last one written
     */
    record Free(int fromDay) implements KeyState {}
}
