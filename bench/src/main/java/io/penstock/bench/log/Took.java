package io.penstock.bench.log;

/**
 * What one run took.
 *
 * @param serverMicros of Postgres' process, for each row
 */
record Took(double framesPerSecond, double serverMicros) {}
