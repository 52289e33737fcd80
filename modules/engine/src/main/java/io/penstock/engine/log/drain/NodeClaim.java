package io.penstock.engine.log.drain;

/**
 * This process as a writer of the database: the node and its epoch. A later claim of the same node fences this one.
 *
 * @param drained the journal position up to which everything is in the database
 */
public record NodeClaim(int nodeNo, long epoch, long drained) {}
