package io.penstock.engine.log.postgres;

import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The address of a Postgres, as given by {@code --database}: {@code postgresql://user:password@host:port/database?…}.
 *
 * @param host a name, an address, or the directory of a Unix socket (it begins with /)
 * @param password never shown, neither by {@link #toString} nor in a message
 * @param tls how the connection must be secured
 * @param rootCertificate the CA to trust with verify-ca and verify-full; null for those that Java trusts
 */
public record DatabaseAddress(
        String host,
        int port,
        String database,
        String user,
        @Nullable String password,
        SslMode tls,
        @Nullable Path rootCertificate) {

    private static final String FORM = "postgresql://user:password@host:port/database";

    public DatabaseAddress {
        require(!host.isEmpty(), "names no host");
        require(port > 0 && port <= 65535, "has the port " + port + ", and ports are from 1 to 65535");
        require(!database.isEmpty(), "names no database");
        require(!user.isEmpty(), "names no user, and PGUSER is not set either");
        require(
                rootCertificate == null || Files.isReadable(rootCertificate),
                "names a sslrootcert that cannot be read, " + rootCertificate);
    }

    /**
     * Parses an address; missing parts are taken from PGUSER and PGPASSWORD of the given environment.
     *
     * @throws IllegalArgumentException with one sentence about what is wrong
     */
    public static DatabaseAddress parse(String url, Map<String, String> environment) {
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            // Its message would show the whole address with the password.
            throw complaint("cannot be read near character " + (e.getIndex() + 1)
                    + " (special characters of a password are written as %40 and the like)");
        }
        String scheme = uri.getScheme();
        require(
                "postgresql".equals(scheme) || "postgres".equals(scheme),
                scheme == null
                        ? "does not begin with postgresql://"
                        : "begins with " + scheme + ":, not postgresql://");
        require(uri.getRawSchemeSpecificPart().startsWith("//"), "has no // after " + scheme + ":");
        require(uri.getRawFragment() == null, "has a # in it, which is written as %23");
        Map<String, String> options = options(uri.getRawQuery());
        String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        int at = authority.lastIndexOf('@');
        String login = at < 0 ? "" : authority.substring(0, at);
        String place = authority.substring(at + 1);
        int colon = login.indexOf(':');
        String user = decoded(colon < 0 ? login : login.substring(0, colon));
        String password = colon < 0 ? null : decoded(login.substring(colon + 1));
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        String finalUser = first(user, options.get("user"), environment.get("PGUSER"));
        String certificate = options.get("sslrootcert");
        require(!place.contains(","), "names several hosts, and Penstock writes to one");
        return new DatabaseAddress(
                first(decoded(hostOf(place)), options.get("host"), "localhost"),
                port(first(portOf(place), options.get("port"), "5432")),
                first(decoded(path.startsWith("/") ? path.substring(1) : path), options.get("dbname"), finalUser),
                finalUser,
                emptyToNull(first(password, options.get("password"), environment.get("PGPASSWORD"))),
                tls(options.getOrDefault("sslmode", "prefer")),
                certificate == null ? null : Path.of(certificate));
    }

    public PgConnectOptions connectOptions() {
        var options = new PgConnectOptions()
                .setHost(host)
                .setPort(port)
                .setDatabase(database)
                .setUser(user)
                .setSslMode(tls);
        if (password != null) {
            options.setPassword(password);
        }
        switch (tls) {
            case DISABLE -> {}
            // As in libpq: protects against eavesdropping, not against an impostor.
            case ALLOW, PREFER, REQUIRE -> options.setSslOptions(new ClientSSLOptions().setTrustAll(true));
            case VERIFY_CA -> options.setSslOptions(verifying().setHostnameVerificationAlgorithm(""));
            case VERIFY_FULL -> options.setSslOptions(verifying().setHostnameVerificationAlgorithm("HTTPS"));
        }
        return options;
    }

    private ClientSSLOptions verifying() {
        var options = new ClientSSLOptions();
        if (rootCertificate != null) {
            options.setTrustOptions(new PemTrustOptions().addCertPath(rootCertificate.toString()));
        }
        return options;
    }

    @Override
    public String toString() {
        String where = host.startsWith("/") ? "/" + database + "?host=" + host : host + ":" + port + "/" + database;
        return "postgresql://" + user + "@" + where;
    }

    private static Map<String, String> options(@Nullable String query) {
        var options = new HashMap<String, String>();
        if (query == null) {
            return options;
        }
        for (String pair : query.split("&")) {
            int equals = pair.indexOf('=');
            String key = equals < 0 ? pair : pair.substring(0, equals);
            switch (key) {
                case "host", "port", "user", "password", "dbname", "sslmode", "sslrootcert" -> {
                    require(equals >= 0, "has '" + key + "' without a value");
                    options.put(key, decoded(pair.substring(equals + 1)));
                }
                default ->
                    throw complaint("has the option '" + key
                            + "', and Penstock knows host, port, user, password, dbname, sslmode and sslrootcert");
            }
        }
        return options;
    }

    private static SslMode tls(String value) {
        for (SslMode mode : SslMode.VALUES) {
            if (mode.name().replace('_', '-').equalsIgnoreCase(value)) {
                return mode;
            }
        }
        throw complaint(
                "has sslmode=" + value + ", and there are disable, allow, prefer, require, verify-ca and verify-full");
    }

    /** The colon between host and port comes after the bracket of an IPv6 address. */
    private static int portColon(String place) {
        int colon = place.lastIndexOf(':');
        return colon > place.lastIndexOf(']') ? colon : -1;
    }

    private static String hostOf(String place) {
        int colon = portColon(place);
        String host = colon < 0 ? place : place.substring(0, colon);
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    private static String portOf(String place) {
        int colon = portColon(place);
        return colon < 0 ? "" : place.substring(colon + 1);
    }

    private static int port(String text) {
        require(text.matches("[0-9]{1,5}"), "has the port '" + text + "', which is not a number from 1 to 65535");
        return Integer.parseInt(text);
    }

    private static String first(@Nullable String... choices) {
        for (String choice : choices) {
            if (choice != null && !choice.isEmpty()) {
                return choice;
            }
        }
        return "";
    }

    private static @Nullable String emptyToNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private static String decoded(String text) {
        try {
            // A plus in these addresses is a plus, not a space.
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw complaint("has a % that is not followed by two hexadecimal digits (a % itself is written as %25)");
        }
    }

    private static void require(boolean condition, String complaint) {
        if (!condition) {
            throw complaint(complaint);
        }
    }

    private static IllegalArgumentException complaint(String what) {
        return new IllegalArgumentException("The database address " + what + ": its form is " + FORM + ".");
    }
}
