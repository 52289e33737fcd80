package io.penstock.engine.screen.terminal;

/**
 * Where a hyperlink leads.
 *
 * @param id by which a program says that links at several places are one; empty where it does not
 */
public record Link(String uri, String id) {}
