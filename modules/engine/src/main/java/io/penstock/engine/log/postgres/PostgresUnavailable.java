package io.penstock.engine.log.postgres;

/** Postgres cannot be used; the message is one sentence for the user: what is wrong and what to do. */
public final class PostgresUnavailable extends Exception {
    private static final long serialVersionUID = 1L;

    public PostgresUnavailable(String message) {
        super(message);
    }

    public PostgresUnavailable(String message, Throwable cause) {
        super(message, cause);
    }
}
