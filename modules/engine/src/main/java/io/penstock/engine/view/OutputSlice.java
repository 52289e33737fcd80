package io.penstock.engine.view;

import io.penstock.engine.artifact.text.TextRange;
import io.penstock.frames.LogRef;

/**
 * A piece of a task's output as text.
 *
 * @param storedBytes up to which offset there is something to read
 * @param missingBytes that were written and not stored: beyond the cap, or in gaps
 * @param firstOffset of the first byte that is kept
 */
public record OutputSlice(LogRef log, TextRange text, long storedBytes, long missingBytes, long firstOffset) {}
