package io.penstock.engine.log.postgres;

import io.vertx.pgclient.PgException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Describes in one sentence why a Postgres could not be used. */
final class Unreachable {

    private Unreachable() {}

    static PostgresUnavailable because(Throwable failure, String place) {
        if (failure instanceof PostgresUnavailable said) {
            return said;
        }
        return new PostgresUnavailable(
                "Postgres at " + place + " " + reason(failure, place.startsWith("/")) + ".", failure);
    }

    /** @param local whether it is reached by a Unix socket, which no firewall is in front of */
    private static String reason(Throwable failure, boolean local) {
        PgException said = causeOf(failure, PgException.class);
        if (said != null) {
            return refusal(said);
        }
        String message = String.valueOf(failure.getMessage());
        if (causeOf(failure, UnknownHostException.class) != null) {
            return "cannot be found, since no host of that name is known: check the host in --database";
        }
        if (causeOf(failure, SSLException.class) != null) {
            return "could not be reached securely (" + rootMessage(failure)
                    + "): check sslmode and sslrootcert in --database";
        }
        if (message.contains("does not handle SSL")) {
            return "offers no TLS, which sslmode asks for: set ssl=on there, or choose another sslmode";
        }
        if (message.contains("No such file")) {
            return "is not running, as there is no socket of that port in that directory: start it, or check --database";
        }
        if (message.contains("timed out")
                || message.contains("timeout")
                || causeOf(failure, TimeoutException.class) != null) {
            return local
                    ? "did not answer in time: this machine may be overloaded; try again"
                    : "did not answer in time: check the host and the port in --database, and the firewall between";
        }
        if (causeOf(failure, ConnectException.class) != null || message.contains("refused")) {
            return "refused the connection: start it, or check the host and the port in --database";
        }
        return "could not be used: " + rootMessage(failure);
    }

    private static String refusal(PgException said) {
        String text = String.valueOf(said.getErrorMessage());
        String state = String.valueOf(said.getSqlState());
        return switch (state) {
            case "28P01", "28000" ->
                "refused the login (" + text + "): check the user and the password, PGPASSWORD too";
            case "3D000" -> "has no such database (" + text + "): create it, or check --database";
            case "53300" -> "has no connection left (" + text + "): raise its max_connections, or end other clients";
            case "57P03" -> "does not take connections at the moment (" + text + "): try again";
            case "42501", "25006" -> "does not let this user write (" + text + "): grant it CREATE on the database";
            default -> "answered with an error (" + state + ", " + text + ")";
        };
    }

    private static String rootMessage(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }

    private static <T extends Throwable> @Nullable T causeOf(Throwable failure, Class<T> type) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return type.cast(cause);
            }
        }
        return null;
    }
}
