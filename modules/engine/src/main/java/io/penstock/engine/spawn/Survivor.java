package io.penstock.engine.spawn;

/** A process that a program started and that is still alive. */
public record Survivor(long pid, String name) {}
