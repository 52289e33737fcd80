package io.penstock.engine.log.postgres;

import static io.penstock.engine.log.postgres.TestDatabase.failure;
import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.SslMode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DatabaseTest {

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void theTablesOfItsSchemaHavePlainNames() {
        String schema = TestDatabase.freshSchema();
        Database database = TestDatabase.open(vertx, schema);
        var rows = await(database.pool()
                .query("SELECT 'frame'::regclass::oid = '" + schema + ".frame'::regclass::oid")
                .execute());
        assertTrue(rows.iterator().next().getBoolean(0));
        PgConnection connection = await(database.connect(8));
        assertEquals(
                0, await(connection.query("SELECT * FROM stream").execute()).size());
        await(connection.close());
        await(database.close());
    }

    @Test
    void anOutsidePostgresIsReachedByItsAddress() {
        String host = TestDatabase.postgres().connectOptions().getHost();
        var address = DatabaseAddress.parse("postgresql://penstock@/penstock?host=" + host, password());
        await(await(Database.open(vertx, address.connectOptions(), TestDatabase.freshSchema(), 1))
                .close());
    }

    @Test
    void closedPortIsReported() throws Exception {
        // A port that is bound, on which nobody listens: no other process gets it.
        try (var bound = new Socket()) {
            bound.bind(new InetSocketAddress("127.0.0.1", 0));
            int port = bound.getLocalPort();
            assertSays("Postgres at 127.0.0.1:" + port + " refused the connection", tcp(port));
        }
    }

    @Test
    void unknownHostIsReported() {
        assertSays("Postgres at nowhere.invalid:5432 cannot be found", tcp(5432).setHost("nowhere.invalid"));
    }

    @Test
    void missingSocketIsReported() {
        assertSays("Postgres at /tmp/penstock-none is not running", tcp(5432).setHost("/tmp/penstock-none"));
    }

    @Test
    void silentServerIsReported() throws Exception {
        try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertSays("did not answer in time", tcp(silent.getLocalPort()), Duration.ofSeconds(1));
        }
    }

    @Test
    void slowPostgresOnThisMachineIsWaitedFor() throws Exception {
        Path directory = TestDatabase.directoryWithData();
        // Postgres waits for a second before it serves a connection, as on an overloaded machine.
        Files.writeString(directory.resolve("data/postgresql.auto.conf"), "pre_auth_delay = 1\n");
        try (EmbeddedPostgres slow = EmbeddedPostgres.start(TestDatabase.settings(directory))) {
            Database database = await(Database.open(
                    vertx, slow.connectOptions(), Database.SCHEMA, 1, Migrations.bundled(), Duration.ofMillis(100)));
            assertEquals(1, await(database.pool().query("SELECT 1").execute()).size());
            await(await(database.connect(1)).close());
            await(database.close());
        } finally {
            TestDatabase.delete(directory);
        }
    }

    @Test
    void serverWithoutTlsIsReported() throws Exception {
        try (var plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> refuseTls(plain));
            assertSays(
                    "offers no TLS, which sslmode asks for",
                    DatabaseAddress.parse(
                                    "postgresql://me@127.0.0.1:" + plain.getLocalPort() + "/l?sslmode=require",
                                    Map.of())
                            .connectOptions());
        }
    }

    @Test
    void aServerWithoutTlsIsReachedByTcpWhenTlsIsOnlyPreferred() throws Exception {
        try (var listener = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0))) {
            Thread.ofVirtual().start(() -> leadToPostgres(listener));
            int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
            var address = DatabaseAddress.parse("postgresql://penstock@127.0.0.1:" + port + "/penstock", password());
            assertEquals(SslMode.PREFER, address.tls());
            await(await(Database.open(vertx, address.connectOptions(), TestDatabase.freshSchema(), 1))
                    .close());
        }
    }

    @Test
    void missingDatabaseIsReported() {
        assertSays(
                "has no such database (database \"absent\" does not exist)",
                TestDatabase.postgres().connectOptions().setDatabase("absent"));
    }

    @Test
    void missingUserIsReported() {
        assertSays(
                "refused the login (password authentication failed for user \"stranger\")",
                TestDatabase.postgres().connectOptions().setUser("stranger"));
    }

    @Test
    void wrongPasswordIsReportedAndNotShown() {
        PgConnection admin = admin();
        await(admin.query("CREATE ROLE locked LOGIN PASSWORD 'right'; GRANT CREATE ON DATABASE penstock TO locked")
                .execute());
        await(admin.close());
        PgConnectOptions locked = TestDatabase.postgres().connectOptions().setUser("locked");
        assertSays("refused the login", locked.setPassword("wrong-secret"));
        await(await(Database.open(vertx, locked.setPassword("right"), TestDatabase.freshSchema(), 1))
                .close());
    }

    @Test
    void userWithoutCreateRightIsReported() {
        PgConnection admin = admin();
        await(admin.query("CREATE ROLE reader LOGIN PASSWORD 'reads'").execute());
        await(admin.close());
        assertSays(
                "does not let this user write",
                TestDatabase.postgres().connectOptions().setUser("reader").setPassword("reads"));
    }

    @Test
    void otherEncodingIsReported() {
        PgConnection admin = admin();
        await(admin.query(
                        "CREATE DATABASE ascii ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0")
                .execute());
        await(admin.close());
        assertSays(
                "has its database 'ascii' in the encoding SQL_ASCII, and Penstock needs UTF8",
                TestDatabase.postgres().connectOptions().setDatabase("ascii"));
    }

    @Test
    void tooOldServerIsReportedWithItsVersion() {
        assertEquals(
                Optional.of("is version 13.14, and Penstock needs 14 or newer"),
                new ServerFacts(130014, "13.14", "UTF8", "ledger", false).complaint());
        assertEquals(Optional.empty(), new ServerFacts(140000, "14.0", "UTF8", "ledger", false).complaint());
        assertTrue(new ServerFacts(180000, "18", "UTF8", "ledger", true)
                .complaint()
                .isPresent());
    }

    @Test
    void aSchemaNameIsPlain() {
        assertThrows(
                IllegalArgumentException.class,
                () -> Database.open(vertx, TestDatabase.postgres().connectOptions(), "a; DROP TABLE b", 1));
    }

    private static Map<String, String> password() {
        return Map.of("PGPASSWORD", TestDatabase.postgres().connectOptions().getPassword());
    }

    private PgConnection admin() {
        return await(PgConnection.connect(vertx, TestDatabase.postgres().connectOptions()));
    }

    private static PgConnectOptions tcp(int port) {
        return new PgConnectOptions()
                .setHost("127.0.0.1")
                .setPort(port)
                .setUser("me")
                .setDatabase("ledger")
                .setSslMode(SslMode.DISABLE);
    }

    /** Refuses TLS as a Postgres does. */
    private static void refuseTls(ServerSocket server) {
        try (var socket = server.accept()) {
            socket.getInputStream().readNBytes(8);
            socket.getOutputStream().write('N');
            socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            // The client closed the connection, as it should.
        }
    }

    /** Our Postgres only has a socket; this gives it a port. */
    private static void leadToPostgres(ServerSocketChannel listener) {
        String directory = TestDatabase.postgres().connectOptions().getHost();
        try {
            while (true) {
                SocketChannel client = listener.accept();
                var server = SocketChannel.open(UnixDomainSocketAddress.of(directory + "/.s.PGSQL.5432"));
                Thread.ofVirtual().start(() -> copy(client, server));
                Thread.ofVirtual().start(() -> copy(server, client));
            }
        } catch (IOException e) {
            // The test is over and has closed the listener.
        }
    }

    private static void copy(SocketChannel from, SocketChannel to) {
        try (from;
                to) {
            var bytes = ByteBuffer.allocate(64 * 1024);
            while (from.read(bytes) >= 0) {
                bytes.flip();
                while (bytes.hasRemaining()) {
                    to.write(bytes);
                }
                bytes.clear();
            }
        } catch (IOException e) {
            // The other direction has closed both.
        }
    }

    private void assertSays(String expected, PgConnectOptions options) {
        assertSays(expected, options, Duration.ofSeconds(60));
    }

    /** @param patience how long an answer is waited for */
    private void assertSays(String expected, PgConnectOptions options, Duration patience) {
        var unavailable = assertInstanceOf(
                PostgresUnavailable.class,
                failure(Database.open(vertx, options, TestDatabase.freshSchema(), 1, Migrations.bundled(), patience)));
        String message = String.valueOf(unavailable.getMessage());
        assertTrue(message.contains(expected) && message.endsWith("."), message);
        assertTrue(!message.contains("secret"), message);
    }
}
