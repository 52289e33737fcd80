package io.penstock.bench.soak;

import io.penstock.engine.log.postgres.PostgresUnavailable;
import java.io.IOException;

/** One way to torture the log, round by round on the same ground. */
interface Scenario {

    /** In a few words, what happens to the log. */
    String story();

    void round(SoakGround ground) throws IOException, InterruptedException, PostgresUnavailable;

    /** Ends what rounds may have left behind, also after a failure. */
    default void end() throws IOException, InterruptedException {}
}
