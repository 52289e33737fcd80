package io.penstock.bench.soak;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The short form of the second half of {@code ./penstock soak queue}. */
@Tag("RECORDED_BEFORE_SEEN")
@Tag("server")
@Tag("long")
class LaneSoakTest {

    @Test
    void killedServersLoseAndDoubleNothingInTwentySessions() throws IOException, InterruptedException {
        var soak = new LaneSoak(System.out, 20, 2, 3, 17);
        soak.run();
        soak.delete();
    }
}
