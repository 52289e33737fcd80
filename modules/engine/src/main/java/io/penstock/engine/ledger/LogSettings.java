package io.penstock.engine.ledger;

import io.penstock.engine.log.journal.Fsync;
import io.penstock.engine.log.postgres.DatabaseAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a node's log is stored.
 *
 * @param data the folder of the journal and of the embedded Postgres
 * @param install where the embedded Postgres' programs are unpacked to; may be shared by several nodes
 * @param database an external Postgres, or null for the embedded one
 * @param fsync when the journal is safe against power loss
 */
public record LogSettings(Path data, Path install, @Nullable DatabaseAddress database, Fsync fsync) {}
