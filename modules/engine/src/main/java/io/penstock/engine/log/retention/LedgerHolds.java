package io.penstock.engine.log.retention;

import java.util.Set;

/** What must stay for reasons that the ledger does not know. */
public interface LedgerHolds {

    /** No reasons. */
    LedgerHolds NONE = new LedgerHolds() {
        @Override
        public Set<String> tasks() {
            return Set.of();
        }

        @Override
        public boolean isDelivered(String sessionId) {
            return false;
        }
    };

    /** The ids of tasks that something still has to be done with. Called at each removal. */
    Set<String> tasks();

    /** Whether the session's mailbox is delivered to somebody, so that its items must stay until they are acknowledged. */
    boolean isDelivered(String sessionId);
}
