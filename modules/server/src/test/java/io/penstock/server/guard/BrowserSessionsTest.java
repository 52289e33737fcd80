package io.penstock.server.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long a browser's cookie is valid, with which token, and what ends it. */
class BrowserSessionsTest {

    private static final Instant NOW = Instant.ofEpochSecond(2_000_000_000);

    private final AccessToken token = new AccessToken("0123456789abcdef0123456789abcdef");

    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("sessions");
    }

    private BrowserSessions read() throws TokenUnusable {
        return BrowserSessions.keptIn(file(), token);
    }

    @Test
    void aCookieIsGoodForAMonthAndAcrossRestarts() throws IOException {
        BrowserSessions sessions = read();
        String cookie = sessions.open(NOW);
        Instant end = NOW.plus(BrowserSessions.LASTS);
        for (BrowserSessions each : List.of(sessions, read())) {
            assertTrue(each.isGood(cookie, end.minusSeconds(1)));
            assertFalse(each.isGood(cookie, end));
            assertFalse(each.isGood(cookie + "x", NOW));
            assertFalse(each.isGood("", NOW));
        }
    }

    @Test
    void anEndedCookieIsNotGoodEvenAfterARestart() throws IOException {
        BrowserSessions sessions = read();
        String ended = sessions.open(NOW);
        String other = sessions.open(NOW);
        sessions.revoke(ended);
        for (BrowserSessions each : List.of(sessions, read())) {
            assertFalse(each.isGood(ended, NOW));
            assertTrue(each.isGood(other, NOW));
        }
        sessions.endAll();
        for (BrowserSessions each : List.of(sessions, read())) {
            assertFalse(each.isGood(other, NOW));
        }
    }

    @Test
    void whatIsOpenInASessionClosesWithIt() throws IOException {
        BrowserSessions sessions = read();
        var closed = new ArrayList<String>();
        String one = sessions.open(NOW);
        String other = sessions.open(NOW);
        sessions.opened(one, () -> closed.add("first of one"));
        sessions.opened(one, () -> closed.add("has left")).run();
        sessions.opened(other, () -> closed.add("other"));
        sessions.revoke(one);
        assertEquals(List.of("first of one"), closed);
        sessions.opened(one, () -> closed.add("came too late"));
        assertEquals(List.of("first of one", "came too late"), closed);
        sessions.endAll();
        sessions.endAll();
        assertEquals(List.of("first of one", "came too late", "other"), closed);
    }

    @Test
    void whatIsOpenClosesEvenIfTheEndCannotBeWritten() throws IOException {
        BrowserSessions sessions = read();
        var closed = new ArrayList<String>();
        String cookie = sessions.open(NOW);
        sessions.opened(cookie, () -> closed.add("closed"));
        Files.delete(file());
        Files.createDirectories(file().resolve("in the way"));
        assertThrows(IOException.class, () -> sessions.revoke(cookie));
        assertEquals(List.of("closed"), closed);
    }

    @Test
    void whatIsOpenInTheOldestClosesWhenItGivesWay() throws IOException {
        BrowserSessions sessions = read();
        var closed = new ArrayList<String>();
        sessions.opened(sessions.open(NOW), () -> closed.add("oldest"));
        for (int i = 1; i < BrowserSessions.MOST; i++) {
            sessions.open(NOW.plusSeconds(1));
        }
        assertEquals(List.of(), closed);
        sessions.open(NOW.plusSeconds(1));
        assertEquals(List.of("oldest"), closed);
    }

    @Test
    void anotherTokenEndsAll() throws IOException {
        String cookie = read().open(NOW);
        assertFalse(BrowserSessions.keptIn(file(), new AccessToken("another")).isGood(cookie, NOW));
    }

    @Test
    void theFileHasNoCookieAndOnlyItsOwnerReadsIt() throws IOException {
        String cookie = read().open(NOW);
        String written = Files.readString(file());
        assertFalse(written.contains(cookie), written);
        // The stored value is not a valid cookie either.
        assertFalse(read().isGood(written.strip().split(" ")[1], NOW));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file())));
    }

    @Test
    void beyondTheLimitTheOldestEnds() throws IOException {
        BrowserSessions sessions = read();
        var cookies = new ArrayList<String>();
        for (int i = 0; i <= BrowserSessions.MOST; i++) {
            cookies.add(sessions.open(NOW.plusSeconds(i)));
        }
        assertFalse(sessions.isGood(cookies.getFirst(), NOW));
        assertTrue(sessions.isGood(cookies.get(1), NOW));
        assertEquals(BrowserSessions.MOST, Files.readAllLines(file()).size());
    }

    @Test
    void aBrokenFileIsNamed() throws IOException {
        Files.writeString(file(), "2000000000 short\n");
        assertTrue(String.valueOf(assertThrows(TokenUnusable.class, this::read).getMessage())
                .contains("delete the file, and sign in again"));
    }
}
