package io.penstock.engine.screen;

import io.vertx.core.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A screen that is kept, and its bytes once somebody has asked for them: they are made once, however many ask. */
final class MadeScreen {

    final ScreenAt at;

    /** About what it takes. */
    final long bytes;

    private int historyLines;
    private @Nullable Future<DrawnScreen> drawn;

    MadeScreen(ScreenAt at) {
        this.at = at;
        this.bytes = at.screen().bytes();
    }

    /** Those who ask one after the other nearly always ask for as many lines above it. */
    synchronized Future<DrawnScreen> drawn(int historyLines, Supplier<Future<DrawnScreen>> draw) {
        Future<DrawnScreen> known = drawn;
        if (known == null || known.failed() || this.historyLines != historyLines) {
            known = draw.get();
            drawn = known;
            this.historyLines = historyLines;
        }
        return known;
    }
}
