package io.penstock.bench.soak.log;

import io.penstock.engine.log.postgres.PostgresUnavailable;
import java.io.IOException;

/** One way to torture the log, round by round in the same setup. */
interface Scenario {

    /** A short description of what happens to the log. */
    String story();

    void round(SoakSetup ground) throws IOException, InterruptedException, PostgresUnavailable;

    /** Cleans up after the rounds, also after a failure. */
    default void end() throws IOException, InterruptedException {}
}
