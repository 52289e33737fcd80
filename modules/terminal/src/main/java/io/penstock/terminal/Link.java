package io.penstock.terminal;

/**
 * A hyperlink.
 *
 * @param id the program's name for a link that is one although it stands at several places; empty without one
 */
public record Link(String uri, String id) {}
