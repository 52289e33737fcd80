package io.penstock.engine.artifact.text;

/** A place in an artifact, with the number of line feeds before it. */
public record LineMark(long offset, long newlines) {

    public static final LineMark START = new LineMark(0, 0);
}
