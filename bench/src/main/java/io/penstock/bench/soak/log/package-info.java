/** The soak of the log: kills appenders and Postgres, fills the disk, damages the journal, then checks what was accepted. */
@NullMarked
package io.penstock.bench.soak.log;

import org.jspecify.annotations.NullMarked;
