package io.penstock.server.guard;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The secret that whoever has it may do everything with. It is never shown, only compared. */
public final class AccessToken {

    private static final int RANDOM_BYTES = 32;

    /** What may stand in an Authorization header, and long enough not to be guessed. */
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._~+/=-]{32,512}");

    private static final Set<PosixFilePermission> OWNER_ONLY =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    /** Of the token rather than the token: comparing then takes equally long whatever is sent. */
    private final byte[] digest;

    AccessToken(String token) {
        digest = digest(token);
    }

    /** The token in this file, which is made with a new random one if it is not there; nobody else may read it. */
    public static AccessToken keptIn(Path file) throws TokenUnusable {
        try {
            if (Files.notExists(file)) {
                create(file);
            }
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            if (!OWNER_ONLY.containsAll(permissions)) {
                throw new TokenUnusable(
                        "The access token in " + file + " can be read by others ("
                                + PosixFilePermissions.toString(permissions)
                                + "): delete the file to get a new token, or make it yours only with chmod 600.",
                        null);
            }
            String token = Files.readString(file).strip();
            if (!FORM.matcher(token).matches()) {
                throw new TokenUnusable(
                        "The file " + file
                                + " has no usable access token, which is 32 to 512 letters, digits or . _ ~ + /"
                                + " = -: delete the file to get a new one.",
                        null);
            }
            return new AccessToken(token);
        } catch (TokenUnusable e) {
            throw e;
        } catch (IOException e) {
            throw new TokenUnusable("The access token in " + file + " cannot be read or written: " + e, e);
        }
    }

    /** Under another name first, so that a server that dies here leaves no half of a token behind. */
    private static void create(Path file) throws IOException {
        byte[] random = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(random) + "\n";
        Path unfinished = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(unfinished);
        try (FileChannel channel = FileChannel.open(
                unfinished,
                EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(OWNER_ONLY))) {
            ByteBuffer bytes = ByteBuffer.wrap(token.getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }

    boolean is(String given) {
        return MessageDigest.isEqual(digest, digest(given));
    }

    /** A mark that only who knows the token, or this server, can have put on the text. */
    byte[] seal(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(digest, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("Every JVM has HmacSHA256, which takes any key", e);
        }
    }

    private static byte[] digest(String token) {
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
