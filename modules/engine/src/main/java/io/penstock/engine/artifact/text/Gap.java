package io.penstock.engine.artifact.text;

/** A run of bytes that were never stored, with the numbers of line feeds before and behind it; its own line feeds are counted too. */
public record Gap(LineMark from, LineMark to) {

    public Gap {
        if (to.offset() <= from.offset() || to.newlines() < from.newlines()) {
            throw new IllegalArgumentException("A gap leads forward, unlike " + from + " to " + to);
        }
    }

    public long bytes() {
        return to.offset() - from.offset();
    }

    public boolean holds(long offset) {
        return offset >= from.offset() && offset < to.offset();
    }
}
