package io.penstock.engine.log;

import java.util.ArrayDeque;
import java.util.function.Consumer;

/** Undoes the steps of a start that fails, in reverse order; does nothing after {@link #cancel}. */
public final class Rollback implements AutoCloseable {

    private final ArrayDeque<Runnable> steps = new ArrayDeque<>();

    /** Returns the opened resource, which {@code undo} is to close. */
    public <T> T add(T opened, Consumer<? super T> undo) {
        steps.push(() -> undo.accept(opened));
        return opened;
    }

    /** The start has succeeded. */
    public void cancel() {
        steps.clear();
    }

    @Override
    public void close() {
        steps.forEach(Runnable::run);
    }
}
