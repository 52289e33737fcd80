package io.penstock.server.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How long a browser's cookie is good, and with which token. */
class BrowserSessionTest {

    private final AccessToken token = new AccessToken("0123456789abcdef0123456789abcdef");
    private final Instant until = Instant.ofEpochSecond(2_000_000_000);

    @Test
    void itIsGoodUntilItsTimeIsUp() {
        String cookie = BrowserSession.open(token, until);
        assertTrue(BrowserSession.isGood(token, cookie, until.minusSeconds(1)));
        assertFalse(BrowserSession.isGood(token, cookie, until));
    }

    @Test
    void anotherTokenEndsIt() {
        String cookie = BrowserSession.open(token, until);
        assertFalse(BrowserSession.isGood(new AccessToken("another"), cookie, Instant.EPOCH));
    }

    @Test
    void eachIsAnother() {
        assertNotEquals(BrowserSession.open(token, until), BrowserSession.open(token, until));
    }

    @Test
    void noOtherTimeCanBeWrittenIntoIt() {
        String cookie = BrowserSession.open(token, until);
        String longer = cookie.replace("2000000000", "3000000000");
        assertEquals(cookie.length(), longer.length());
        assertFalse(BrowserSession.isGood(token, longer, Instant.EPOCH));
        assertFalse(BrowserSession.isGood(token, cookie.replace("2000000000", "99999999999999999999"), Instant.EPOCH));
    }
}
