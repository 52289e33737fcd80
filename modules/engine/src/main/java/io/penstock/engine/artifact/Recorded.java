package io.penstock.engine.artifact;

/**
 * What a task's frames say of one output.
 *
 * @param totalBytes the written bytes
 * @param storedBytes the offset up to which they are stored, or reported as missing
 * @param newlines the line feeds in all written bytes but the last
 */
public record Recorded(long totalBytes, long storedBytes, long newlines) {}
