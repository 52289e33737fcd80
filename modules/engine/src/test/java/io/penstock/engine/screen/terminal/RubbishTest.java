package io.penstock.engine.screen.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Programs write what they like. */
final class RubbishTest {

    @Test
    void noBytesBreakATerminal() {
        long until = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        long seed = 0;
        for (; System.nanoTime() < until; seed++) {
            var output = new RandomOutput(seed);
            var terminal = new Emulator(1 + output.number(12), 1 + output.number(30), 20);
            for (int i = 0; i < 20; i++) {
                terminal.write(output.number(3) == 0 ? output.pieces(20) : output.rubbish(200));
                if (output.number(4) == 0) {
                    terminal.resize(1 + output.number(12), 1 + output.number(30));
                }
                ScreenState state = terminal.state();
                var again = new Emulator(state.rows(), state.cols(), 20);
                again.write(AnsiScreen.of(state));
                assertEquals(state.y(), again.state().y(), "seed " + seed);
            }
        }
        assertTrue(seed > 100, "only " + seed + " were tried");
    }
}
