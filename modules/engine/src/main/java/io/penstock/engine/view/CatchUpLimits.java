package io.penstock.engine.view;

import java.time.Duration;

/**
 * How far a viewer may lag before it catches up, or is notified.
 *
 * @param screens whether a screen replaces output when the viewer lags; otherwise only when it was hidden
 * @param bytes the most output by which a viewer may lag
 * @param bytesAgain the same within {@code again} after a catch-up
 * @param frames the most frames by which a viewer may lag without being notified
 */
public record CatchUpLimits(boolean screens, long bytes, long bytesAgain, Duration again, int frames) {}
