package io.penstock.bench;

import java.util.List;

/** Runs one measurement or one torture by its name. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.err.println("There is nothing to run for " + List.of(args) + " yet.");
        System.exit(2);
    }
}
