package io.penstock.engine.log.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.pgclient.SslMode;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseAddressTest {

    @Test
    void aWholeAddressIsRead() {
        var address = parse("postgresql://me:p%40ss+w%3Ard@db.example:6543/ledger?sslmode=verify-full");
        assertEquals("db.example", address.host());
        assertEquals(6543, address.port());
        assertEquals("ledger", address.database());
        assertEquals("me", address.user());
        assertEquals("p@ss+w:rd", address.password());
        assertEquals(SslMode.VERIFY_FULL, address.tls());
        assertEquals("HTTPS", address.connectOptions().getSslOptions().getHostnameVerificationAlgorithm());
    }

    @Test
    void missingPartsHaveDefaultValues() {
        var address = parse("postgres://me@/");
        assertEquals("localhost", address.host());
        assertEquals(5432, address.port());
        assertEquals("me", address.database());
        assertNull(address.password());
        assertEquals(SslMode.PREFER, address.tls());
    }

    @Test
    void theEnvironmentFillsInUserAndPassword() {
        var address = DatabaseAddress.parse("postgresql://db/ledger", Map.of("PGUSER", "me", "PGPASSWORD", "secret"));
        assertEquals("me", address.user());
        assertEquals("secret", address.password());
        assertEquals("db", address.host());
    }

    @Test
    void aSocketDirectoryIsAHost() {
        var address = parse("postgresql:///ledger?host=/run/postgresql&user=me");
        assertEquals("/run/postgresql", address.connectOptions().getHost());
        assertEquals("postgresql://me@/ledger?host=/run/postgresql", address.toString());
        assertEquals(
                "/run/postgresql",
                parse("postgresql://me@%2Frun%2Fpostgresql/ledger").host());
    }

    @Test
    void anIpv6AddressIsAHost() {
        var address = parse("postgresql://me@[::1]:6000/ledger");
        assertEquals("::1", address.host());
        assertEquals(6000, address.port());
    }

    @Test
    void thePasswordIsNeverShown() {
        assertFalse(parse("postgresql://me:secret@db/ledger").toString().contains("secret"));
        var bad = assertThrows(IllegalArgumentException.class, () -> parse("postgresql://me:secret word@db/ledger"));
        assertFalse(String.valueOf(bad.getMessage()).contains("secret"));
        assertNull(bad.getCause());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            mysql://me@db/ledger                    | begins with mysql:, not postgresql://
            db.example/ledger                       | does not begin with postgresql://
            postgresql:ledger                       | has no // after postgresql:
            postgresql://db/ledger                  | names no user, and PGUSER is not set either
            postgresql://me@db:99999/ledger         | has the port 99999, and ports are from 1 to 65535
            postgresql://me@db:http/ledger          | has the port 'http', which is not a number
            postgresql://me@a,b/ledger              | names several hosts
            postgresql://me@db/ledger?sslmode=yes   | has sslmode=yes, and there are disable, allow
            postgresql://me@db/ledger?ssl=1         | has the option 'ssl', and Penstock knows host
            postgresql://me@db/ledger?host          | has 'host' without a value
            postgresql://me@db/led%ger              | cannot be read near character
            postgresql://me@db/ledger#1             | has a # in it
            postgresql://me@db/l?sslrootcert=/none  | names a sslrootcert that cannot be read, /none
            """)
    void badAddressIsRefusedWithOneSentence(String url, String complaint) {
        String message = String.valueOf(
                assertThrows(IllegalArgumentException.class, () -> parse(url)).getMessage());
        assertTrue(message.startsWith("The database address " + complaint), message);
        assertTrue(message.endsWith("its form is postgresql://user:password@host:port/database."), message);
    }

    private static DatabaseAddress parse(String url) {
        return DatabaseAddress.parse(url, Map.of());
    }
}
