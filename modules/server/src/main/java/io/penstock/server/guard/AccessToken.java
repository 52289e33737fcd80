package io.penstock.server.guard;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The secret that permits everything. It is never shown, only compared. */
public final class AccessToken {

    private static final int RANDOM_BYTES = 32;

    /** The characters that an Authorization header permits, and long enough not to be guessed. */
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._~+/=-]{32,512}");

    /** A digest instead of the token: comparing then takes the same time for every input. */
    private final byte[] digest;

    AccessToken(String token) {
        digest = digest(token);
    }

    /**
     * Reads the token from this file, or creates a random one if there is no file; only the file's owner may read it.
     */
    public static AccessToken keptIn(Path file) throws TokenUnusable {
        try {
            if (Files.notExists(file)) {
                SecretFile.write(file, random());
            }
            return new AccessToken(read(file));
        } catch (TokenUnusable e) {
            throw e;
        } catch (IOException e) {
            throw new TokenUnusable("The access token in " + file + " cannot be read or written: " + e, e);
        }
    }

    public static String read(Path file) throws IOException {
        String token = SecretFile.read(file, "The access token");
        if (!FORM.matcher(token).matches()) {
            throw new TokenUnusable(
                    "The file " + file
                            + " has no usable access token, which is 32 to 512 letters, digits or . _ ~ + /"
                            + " = -: delete the file to get a new one.",
                    null);
        }
        return token;
    }

    static String random() {
        byte[] random = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    boolean matches(String given) {
        return sameDigest(digest, given);
    }

    static boolean sameDigest(byte[] digest, String given) {
        return MessageDigest.isEqual(digest, digest(given));
    }

    /** A MAC of the text, which only a holder of the token can compute. */
    byte[] seal(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(digest, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("Every JVM has HmacSHA256, which takes any key", e);
        }
    }

    static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JVM has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return "an access token";
    }
}
