package io.penstock.engine.log.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class UnreachableTest {

    @Test
    void slowLocalPostgresIsNotBlamedOnAnAddress() {
        assertEquals(
                "Postgres at /data/postgres/socket did not answer in time: this machine may be overloaded; try again.",
                Unreachable.because(new TimeoutException(), "/data/postgres/socket")
                        .getMessage());
    }

    @Test
    void slowRemotePostgresNamesWhatToCheck() {
        assertEquals(
                "Postgres at db.example:5432 did not answer in time:"
                        + " check the host and the port in --database, and the firewall between.",
                Unreachable.because(new TimeoutException(), "db.example:5432").getMessage());
    }
}
