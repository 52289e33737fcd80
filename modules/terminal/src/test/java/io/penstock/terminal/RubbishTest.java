package io.penstock.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.terminal.ansi.AnsiScreen;
import org.junit.jupiter.api.Test;

/** No output of a program, however broken, may break the terminal. */
final class RubbishTest {

    private static final int TERMINALS = 1_000;

    @Test
    void noBytesBreakATerminal() {
        for (long seed = 0; seed < TERMINALS; seed++) {
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
    }
}
