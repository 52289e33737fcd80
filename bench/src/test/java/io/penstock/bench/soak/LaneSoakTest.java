package io.penstock.bench.soak;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The short form of the second part of {@code ./penstock soak queue}. */
@Tag("RECORDED_BEFORE_SEEN")
@Tag("server")
@Tag("long")
class LaneSoakTest {

    @Test
    void killedServersLoseAndDoubleNothingInTwentySessions() throws Exception {
        assertTrue(QueueSoakCommand.run("lanes", folder -> new LaneSoak(System.out, folder, 20, 2, 3, 17).run()));
    }
}
