package io.penstock.engine;

import io.penstock.engine.log.LogSettings;
import java.nio.file.Path;

/**
 * What an engine is told.
 *
 * @param workspace the folder that tasks work in or below
 */
public record EngineSettings(LogSettings log, Path workspace, SpawnerChoice spawner) {}
