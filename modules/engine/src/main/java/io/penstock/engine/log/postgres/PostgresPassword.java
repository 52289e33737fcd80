package io.penstock.engine.log.postgres;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The password of the embedded Postgres: random, and only in the memory of this process. Postgres stores a SCRAM
 * verifier of it, which does not permit a login.
 */
final class PostgresPassword {

    private static final int RANDOM_BYTES = 32;
    private static final int SALT_BYTES = 16;
    private static final int KEY_BITS = 256;

    /**
     * The minimum that clients accept; more would only slow down each connection, since the password cannot be guessed.
     */
    private static final int ITERATIONS = 4_096;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final String text;

    private PostgresPassword(String text) {
        this.text = text;
    }

    static PostgresPassword random() {
        byte[] random = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(random);
        return new PostgresPassword(Base64.getUrlEncoder().withoutPadding().encodeToString(random));
    }

    String text() {
        return text;
    }

    /** The form stored in pg_authid, by RFC 5803. */
    String verifier() {
        byte[] salt = new byte[SALT_BYTES];
        RANDOM.nextBytes(salt);
        try {
            byte[] salted = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(new PBEKeySpec(text.toCharArray(), salt, ITERATIONS, KEY_BITS))
                    .getEncoded();
            byte[] storedKey = MessageDigest.getInstance("SHA-256").digest(keyed(salted, "Client Key"));
            Base64.Encoder base64 = Base64.getEncoder();
            return "SCRAM-SHA-256$" + ITERATIONS + ":" + base64.encodeToString(salt) + "$"
                    + base64.encodeToString(storedKey) + ":" + base64.encodeToString(keyed(salted, "Server Key"));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has SHA-256, HmacSHA256 and PBKDF2WithHmacSHA256", e);
        }
    }

    private static byte[] keyed(byte[] key, String words) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(words.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public String toString() {
        return "a password";
    }
}
