package io.penstock.engine.artifact.text;

/** A place in an artifact: so many line feeds are in front of this offset. */
public record LineMark(long offset, long newlines) {

    public static final LineMark START = new LineMark(0, 0);
}
