package io.penstock.engine.log.store;

/** Why retention removed streams. The order is stored: append only. */
public enum RemovalReason {
    /** They were kept for as long as the settings say. */
    AGE,
    /** The ledger exceeded its size. */
    SIZE
}
