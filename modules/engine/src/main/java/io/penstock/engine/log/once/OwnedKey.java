package io.penstock.engine.log.once;

import io.penstock.frames.Limits;
import java.nio.charset.StandardCharsets;

/** An idempotency key with its principal: the same key of another principal is another key. */
public record OwnedKey(String principal, String key) {

    public OwnedKey {
        check("A principal", principal, Limits.IDEMPOTENCY_PRINCIPAL_CHARS);
        check("An idempotency key", key, Limits.IDEMPOTENCY_KEY_CHARS);
    }

    private static void check(String what, String text, int maxChars) {
        if (text.isBlank()) {
            throw new IllegalArgumentException(what + " has 1 to " + maxChars + " characters, this one is blank");
        }
        if (text.length() > maxChars) {
            throw new IllegalArgumentException(
                    what + " has at most " + maxChars + " characters, this one has " + text.length());
        }
        // Postgres refuses NUL, which would block the drain; half a surrogate pair would be stored as a question mark.
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    what + " cannot contain the character U+0000, this one has it at " + text.indexOf('\0'));
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException(what + " is Unicode text, this one contains half a surrogate pair");
        }
    }

    @Override
    public String toString() {
        return "'" + key + "' of " + principal;
    }
}
