package io.penstock.server.guard;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

/**
 * What a browser has instead of the token, so that no script can read it: a cookie that says until when it is good, sealed with the
 * token. Nothing of it is kept, so it survives a restart; a new token ends all that there are.
 */
final class BrowserSession {

    /** A month: who has not come back by then gets a new link where the server was started. */
    static final Duration LASTS = Duration.ofDays(30);

    private static final int RANDOM_BYTES = 16;

    /** Enough to tell the servers apart that one browser knows. */
    private static final int NAME_CHARS = 10;

    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    private static final SecureRandom RANDOM = new SecureRandom();

    private BrowserSession() {}

    /** Cookies know hosts but no ports: servers on one host, or behind one name, would take each other's away if it were the same for all. */
    static String cookieName(AccessToken token) {
        return "penstock-"
                + BASE64.encodeToString(token.seal("name of the cookie")).substring(0, NAME_CHARS);
    }

    static String open(AccessToken token, Instant until) {
        byte[] random = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(random);
        String said = until.getEpochSecond() + "." + BASE64.encodeToString(random);
        return said + "." + seal(token, said);
    }

    static boolean isGood(AccessToken token, String value, Instant now) {
        int end = value.lastIndexOf('.');
        if (end < 0 || !value.matches("[0-9]{1,12}\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+")) {
            return false;
        }
        String said = value.substring(0, end);
        return MessageDigest.isEqual(
                        seal(token, said).getBytes(StandardCharsets.US_ASCII),
                        value.substring(end + 1).getBytes(StandardCharsets.US_ASCII))
                && Long.parseLong(said.substring(0, said.indexOf('.'))) > now.getEpochSecond();
    }

    private static String seal(AccessToken token, String said) {
        return BASE64.encodeToString(token.seal("browser session " + said));
    }
}
