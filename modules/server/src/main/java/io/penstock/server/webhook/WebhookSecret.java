package io.penstock.server.webhook;

import io.penstock.server.request.RequestFields;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The key with which deliveries are signed, as Standard Webhooks does it. */
public final class WebhookSecret {

    private static final String PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";

    private final byte[] key;

    private WebhookSecret(byte[] key) {
        this.key = key;
    }

    /** Reads a secret that a caller gives. */
    static WebhookSecret parse(String text) {
        // The messages do not repeat the secret.
        byte[] key;
        try {
            key = Base64.getDecoder().decode(text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : "?");
        } catch (IllegalArgumentException e) {
            throw RequestFields.wrong("secret is " + PREFIX + " and base64 of " + WebhookLimits.LEAST_SECRET_BYTES
                    + " to " + WebhookLimits.MOST_SECRET_BYTES + " bytes");
        }
        if (key.length < WebhookLimits.LEAST_SECRET_BYTES || key.length > WebhookLimits.MOST_SECRET_BYTES) {
            throw RequestFields.wrong("secret is " + PREFIX + " and base64 of " + WebhookLimits.LEAST_SECRET_BYTES
                    + " to " + WebhookLimits.MOST_SECRET_BYTES + " bytes, not of " + key.length);
        }
        return new WebhookSecret(key);
    }

    /** The secret of a session whose caller gave none. */
    static WebhookSecret derived(byte[] serverKey, String session) {
        return new WebhookSecret(hmac(serverKey, ("penstock webhook " + session).getBytes(StandardCharsets.UTF_8)));
    }

    /** As the receiver is told it. */
    public String text() {
        return PREFIX + Base64.getEncoder().encodeToString(key);
    }

    /** The value of the header webhook-signature. */
    String signature(String id, long seconds, byte[] body) {
        byte[] head = (id + "." + seconds + ".").getBytes(StandardCharsets.UTF_8);
        var signed = new byte[head.length + body.length];
        System.arraycopy(head, 0, signed, 0, head.length);
        System.arraycopy(body, 0, signed, head.length, body.length);
        return "v1," + Base64.getEncoder().encodeToString(hmac(key, signed));
    }

    private static byte[] hmac(byte[] key, byte[] text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has " + ALGORITHM, e);
        }
    }

    @Override
    public String toString() {
        return "a webhook's secret";
    }
}
