package io.penstock.engine.artifact;

import java.util.HexFormat;
import java.util.regex.Pattern;

/** The final content of an artifact: its number of bytes and its digest, {@code sha256:} and 64 hex digits. */
public record Sealed(String artifactId, long bytes, String digest) {

    private static final Pattern SHA256 = Pattern.compile("sha256:[0-9a-f]{64}");

    private static final int SHA256_COLON = "sha256:".length();

    public Sealed {
        if (bytes < 0) {
            throw new IllegalArgumentException("An artifact has 0 or more bytes, not " + bytes);
        }
        if (!isDigest(digest)) {
            throw new IllegalArgumentException(
                    "A digest is sha256: and 64 hex digits in lower case, not \"" + digest + "\"");
        }
    }

    static byte[] digestBytes(String digest) {
        return HexFormat.of().parseHex(digest, SHA256_COLON, digest.length());
    }

    static boolean isDigest(String text) {
        return SHA256.matcher(text).matches();
    }
}
