package io.penstock.engine.log.retention;

import java.util.Set;

/** The tasks that must stay for reasons that the ledger does not know. */
@FunctionalInterface
public interface LedgerHolds {

    LedgerHolds NONE = Set::of;

    /** The ids of tasks that something still has to be done with. Called at each removal. */
    Set<String> tasks();
}
