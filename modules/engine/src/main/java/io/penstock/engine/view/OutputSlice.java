package io.penstock.engine.view;

import io.penstock.engine.artifact.text.TextRange;
import io.penstock.frames.LogRef;

/**
 * A range of a task's output as text.
 *
 * @param storedBytes the offset at which the stored bytes end
 * @param missingBytes the bytes that were written but not stored: beyond the cap, or in gaps
 * @param firstOffset the offset of the first byte that has not been trimmed
 */
public record OutputSlice(LogRef log, TextRange text, long storedBytes, long missingBytes, long firstOffset) {}
