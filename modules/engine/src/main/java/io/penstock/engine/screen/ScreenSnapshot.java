package io.penstock.engine.screen;

import io.penstock.terminal.ScreenState;

/**
 * A task's screen right after one of its frames.
 *
 * @param seq the number of that frame; a viewer of the screen continues with the next one
 * @param offset bytes of output up to there
 * @param whole whether no output up to there is missing; output beyond the cap is not stored and so not on the screen
 */
public record ScreenSnapshot(String taskId, long seq, long offset, boolean whole, ScreenState screen) {

    int cells() {
        return screen.rows() * screen.cols();
    }
}
