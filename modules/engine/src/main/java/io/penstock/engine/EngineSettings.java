package io.penstock.engine;

import io.penstock.engine.log.FrameListener;
import io.penstock.engine.log.LogSettings;
import java.nio.file.Path;
import java.util.List;

/**
 * What an engine is told.
 *
 * @param workspace the folder that tasks work in or below
 * @param listeners who is told of every frame of every task
 */
public record EngineSettings(
        LogSettings log, Path workspace, SpawnerChoice spawner, List<FrameListener.Source> listeners) {

    public EngineSettings {
        listeners = List.copyOf(listeners);
    }

    /** As usual. */
    public EngineSettings(LogSettings log, Path workspace) {
        this(log, workspace, SpawnerChoice.AUTOMATIC, List.of());
    }
}
