package io.penstock.server.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.ledger.LedgerHealth;
import io.penstock.engine.log.journal.JournalState;
import io.penstock.engine.policy.PolicyStatus;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reasons contain paths, and anyone can read health. */
class HealthReasonsTest {

    private static final String REASON = "cannot write /var/lib/penstock/journal/7";

    private static String told(JournalState journal, boolean known) {
        return HealthRoutes.json(
                        new LedgerHealth(REASON, REASON, journal, 2, 0, 0, 0),
                        new PolicyStatus("profile local", null),
                        new FreeDisk(Path.of("/")),
                        System.nanoTime(),
                        known)
                .encode();
    }

    @Test
    void onlyCallersWithACredentialAreToldReasons() {
        for (JournalState journal :
                List.of(new JournalState.Open(), new JournalState.Full(REASON), new JournalState.Failed(REASON))) {
            String untold = told(journal, false);
            assertFalse(untold.contains("penstock/"), untold);
            assertTrue(untold.contains("the server's log"), untold);
            assertTrue(told(journal, true).contains(REASON));
        }
        assertEquals(
                4,
                told(new JournalState.Full(REASON), true).split(REASON, -1).length,
                "broken, database_away, journal");
    }
}
