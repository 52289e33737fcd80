package io.penstock.engine.log;

/**
 * This process as a writer of the database: which node it is, and in which of its epochs. A later claim of the same node
 * ends this one.
 *
 * @param drained the journal position up to which everything is in the database
 */
record NodeClaim(int nodeNo, long epoch, long drained) {}
