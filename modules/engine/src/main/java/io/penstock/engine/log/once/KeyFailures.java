package io.penstock.engine.log.once;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import java.time.Instant;

/** The error messages about idempotency keys. */
final class KeyFailures {

    private KeyFailures() {}

    static Failure conflict(OwnedKey key, KeyState.Claim claim) {
        return new Failure(
                FailureCode.IDEMPOTENCY_CONFLICT,
                "The idempotency key " + key + " was first used at " + Instant.ofEpochMilli(claim.atMs())
                        + " with another request; give each request a key of its own");
    }

    static Failure outcomeUnknown(OwnedKey key, KeyState.Claim claim) {
        return new Failure(
                FailureCode.OUTCOME_UNKNOWN,
                "The request with the idempotency key " + key + " was started at "
                        + Instant.ofEpochMilli(claim.atMs())
                        + ", and its answer is missing, so it is unknown whether it took effect; check whether it"
                        + " did, and use a new key to try again");
    }

    static Failure tooManyUnderWay() {
        return new Failure(
                FailureCode.QUOTA_EXCEEDED,
                Limits.IDEMPOTENCY_UNDER_WAY
                        + " requests with an idempotency key are already running; try again later");
    }

    static Failure badFingerprint(int bytes) {
        return new Failure(
                FailureCode.INVALID_REQUEST,
                "A fingerprint has 1 to " + Limits.IDEMPOTENCY_FINGERPRINT_BYTES + " bytes, this one has " + bytes);
    }
}
