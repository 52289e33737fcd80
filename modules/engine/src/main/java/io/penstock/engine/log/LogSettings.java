package io.penstock.engine.log;

import io.penstock.engine.log.journal.Fsync;
import io.penstock.engine.log.postgres.DatabaseAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a node's log lives.
 *
 * @param data the folder of the journal and of the embedded Postgres
 * @param install where the embedded Postgres' programs are unpacked to; may be shared by several nodes
 * @param database a Postgres of the user's own, or null for the embedded one
 * @param fsync when the journal is safe against power loss
 */
public record LogSettings(Path data, Path install, @Nullable DatabaseAddress database, Fsync fsync) {}
