package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/** The specification of a requested task, whether its spawn was accepted or refused. */
public sealed interface SpawnSpec permits ToolTaskSpawned, RefusedSpawn {

    String toolName();

    /** The tool's arguments; of environment variables only the names, never the values. */
    JsonText args();

    @Nullable
    String cwd();

    @Nullable
    String title();

    ExecutionMode executionMode();

    @Nullable
    String originSessionId();

    @Nullable
    TaskLabel label();

    /** The caller who requested it. */
    Actor actor();
}
