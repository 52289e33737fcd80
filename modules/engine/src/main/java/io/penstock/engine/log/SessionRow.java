package io.penstock.engine.log;

import io.penstock.frames.Frame;

/**
 * A session as the database lists it.
 *
 * @param streamNo its position in the list
 * @param last its newest frame
 */
public record SessionRow(long streamNo, long startedAtMs, Frame last) {}
