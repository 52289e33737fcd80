package io.penstock.engine.spawn;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for facts of the system for which there is no notification. */
final class Eventually {
    private Eventually() {}

    static void exists(Path file) {
        holds("the file " + file + " exists", () -> Files.exists(file));
    }

    static void holds(String what, BooleanSupplier fact) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!fact.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("never came true: " + what);
            }
            LockSupport.parkNanos(2_000_000);
        }
    }
}
