package io.penstock.engine.host;

import io.penstock.engine.log.TaskCursor;
import io.penstock.frames.Failure;
import io.penstock.frames.TaskLabel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a host can ask for. A command waits for earlier ones of the same host about the same task, so that a host can send create, switch,
 * prompt and stop at once; switches and prompts wait for each other. A long create delays nothing else.
 */
public sealed interface HostCommand {

    /**
     * @param folder of a new task; null for the usual one
     * @param model null for the program's own
     * @param thinking null for the program's own
     */
    record CreateOrOpen(
            TaskLabel task,
            @Nullable String folder,
            @Nullable String model,
            @Nullable String thinking) implements HostCommand {}

    record Switch(TaskLabel task) implements HostCommand {}

    /** @param promptId null for one that is made up */
    record Prompt(String message, @Nullable String promptId) implements HostCommand {}

    record Stop(TaskLabel task) implements HostCommand {}

    /** @param after where the previous answer ended; null for the newest tasks */
    record State(@Nullable TaskCursor after) implements HostCommand {}

    /** A command with an invalid field. */
    record Invalid(Failure why) implements HostCommand {}

    /** The lane of what selects a task, and of the prompts. */
    String SELECTION = "";

    /** The lanes of its connection in which it waits for earlier commands. */
    default List<String> waitsIn() {
        return switch (this) {
            case CreateOrOpen open -> List.of(open.task().text());
            case Switch to -> List.of(to.task().text(), SELECTION);
            case Stop stop -> List.of(stop.task().text(), SELECTION);
            case Prompt _ -> List.of(SELECTION);
            case State _, Invalid _ -> List.of();
        };
    }

    /** The lanes in which later commands wait for it. */
    default List<String> delays() {
        return switch (this) {
            case CreateOrOpen open -> List.of(open.task().text());
            case Switch to -> List.of(to.task().text(), SELECTION);
            case Stop stop -> List.of(stop.task().text());
            case Prompt _ -> List.of(SELECTION);
            case State _, Invalid _ -> List.of();
        };
    }
}
