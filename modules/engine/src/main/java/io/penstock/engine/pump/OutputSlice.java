package io.penstock.engine.pump;

import io.penstock.engine.artifact.TextRange;
import io.penstock.frames.LogRef;

/**
 * A piece of a task's output as text.
 *
 * @param totalBytes of the whole output so far
 * @param storedBytes of it that can be read; less than the total once the cap is reached
 */
public record OutputSlice(LogRef log, TextRange text, long totalBytes, long storedBytes) {}
