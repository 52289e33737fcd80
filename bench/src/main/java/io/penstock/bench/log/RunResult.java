package io.penstock.bench.log;

/**
 * The result of one run.
 *
 * @param serverMicros processor time of Postgres' process per row
 */
record RunResult(double framesPerSecond, double serverMicros) {}
