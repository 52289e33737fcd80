package io.penstock.engine.log;

import io.vertx.core.Promise;
import java.util.Arrays;

/** How it stands with an idempotency key. */
sealed interface KeyState {

    /**
     * A request has taken the key.
     *
     * @param day whose partition it is written to, to the end
     * @param atMs from when on its time counts
     */
    record Claim(int day, byte[] fingerprint, long atMs) {

        boolean isFor(byte[] other) {
            return Arrays.equals(fingerprint, other);
        }
    }

    /** The database is being asked; those who want the key ask again when it is known. */
    record Looking(Promise<Void> known) implements KeyState {}

    /** The operation is being carried out, and all who asked for it wait for one answer. */
    record UnderWay(Claim claim, Promise<byte[]> answer) implements KeyState {}

    /** It was carried out, and this was the answer. */
    record Answered(Claim claim, byte[] answer) implements KeyState {}

    /** It was begun, and there is no answer, nor will there be. */
    record Unanswered(Claim claim) implements KeyState {}

    /**
     * Nobody has it: it was never used, too long ago, or given back.
     *
     * @param fromDay a claim is not written to an earlier day, or it would be older than what was written last
     */
    record Free(int fromDay) implements KeyState {}
}
