package io.penstock.engine.artifact;

/** A place in an artifact: so many line feeds are in front of this offset. */
record LineMark(long offset, long newlines) {

    static final LineMark START = new LineMark(0, 0);
}
