package io.penstock.engine.host;

import org.jspecify.annotations.Nullable;

/** The task that prompts go to, one for all hosts: that of the latest switch, until it ends. It is not recorded, since every program ends with its server. */
final class Selection {

    record Selected(String name, String taskId) {}

    private @Nullable Selected selected;
    private long begun;
    private long selectedBy;

    @Nullable
    Selected selected() {
        return selected;
    }

    boolean is(String name) {
        return selected != null && selected.name().equals(name);
    }

    /** The number of a switch that begins now. */
    long begin() {
        return ++begun;
    }

    /** Returns false if a later switch has selected a task already. */
    boolean select(long number, String name, String taskId) {
        if (number < selectedBy) {
            return false;
        }
        selectedBy = number;
        selected = new Selected(name, taskId);
        return true;
    }

    /** Selects no task, if it was this one. */
    void leave(String name) {
        if (is(name)) {
            selected = null;
        }
    }
}
