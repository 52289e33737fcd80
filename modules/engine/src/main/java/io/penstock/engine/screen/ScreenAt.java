package io.penstock.engine.screen;

import io.penstock.engine.screen.terminal.ScreenState;

/**
 * A task's screen right after one of its frames.
 *
 * @param seq of that frame: who shows the screen goes on with the one behind it
 * @param offset how many bytes of output it shows
 * @param whole whether that is all output up to there; what was beyond the cap is stored nowhere, and so is not on the screen
 */
public record ScreenAt(String taskId, long seq, long offset, boolean whole, ScreenState screen) {}
