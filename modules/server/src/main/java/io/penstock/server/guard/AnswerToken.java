package io.penstock.server.guard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The secret for answering policy questions. Tasks run under the server's account and can read its files, so only a
 * hash is stored: the token itself is shown once. It is random and long, so a plain hash is safe against guessing.
 */
public final class AnswerToken {

    private static final String FILE = "answer-token.sha256";

    /** The file in which versions before 0.2 stored the token itself. */
    private static final String READABLE = "answer-token";

    private static final String FORM = "[0-9a-f]{64}";

    private final byte[] digest;

    private AnswerToken(byte[] digest) {
        this.digest = digest;
    }

    /**
     * The token of this data directory; empty if none has been created. A plain one of an older version is replaced by
     * its hash.
     */
    public static Optional<AnswerToken> keptIn(Path data) throws TokenUnusable {
        Path file = data.resolve(FILE);
        Path readable = data.resolve(READABLE);
        try {
            if (Files.exists(readable)) {
                if (Files.notExists(file)) {
                    write(file, AccessToken.read(readable));
                }
                Files.delete(readable);
            }
            if (Files.notExists(file)) {
                return Optional.empty();
            }
            String hash = SecretFile.read(file, "The hash of the answer token");
            if (!hash.matches(FORM)) {
                throw new TokenUnusable(
                        "The file " + file + " has no hash of an answer token, which is 64 hexadecimal digits: delete"
                                + " the file, and make a new token with `penstock answer-token`.",
                        null);
            }
            return Optional.of(new AnswerToken(HexFormat.of().parseHex(hash)));
        } catch (TokenUnusable e) {
            throw e;
        } catch (IOException e) {
            throw new TokenUnusable("The hash of the answer token in " + file + " cannot be read or written: " + e, e);
        }
    }

    /** Creates a new token, which invalidates the previous one, and returns it. Only its hash is stored. */
    public static String renew(Path data) throws TokenUnusable {
        String token = AccessToken.random();
        Path file = data.resolve(FILE);
        try {
            write(file, token);
            Files.deleteIfExists(data.resolve(READABLE));
        } catch (IOException e) {
            throw new TokenUnusable("The hash of the answer token in " + file + " cannot be written: " + e, e);
        }
        return token;
    }

    private static void write(Path file, String token) throws IOException {
        SecretFile.write(file, HexFormat.of().formatHex(AccessToken.digest(token)));
    }

    boolean matches(String given) {
        return AccessToken.sameDigest(digest, given);
    }

    @Override
    public String toString() {
        return "an answer token";
    }
}
