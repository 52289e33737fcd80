package io.penstock.engine.screen;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;

/** The work on a screen was abandoned because its caller has left or the server stops. The part already done is valid. */
final class ScreenAbandoned extends Failure {

    private static final long serialVersionUID = 1L;

    ScreenAbandoned() {
        super(
                FailureCode.LOG_UNAVAILABLE,
                "The screen was not computed: the server is stopping or the caller has left");
    }
}
