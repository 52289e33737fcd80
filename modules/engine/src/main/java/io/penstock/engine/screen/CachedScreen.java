package io.penstock.engine.screen;

import io.vertx.core.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A cached screen and, once requested, its escape sequences: they are rendered once for all callers. */
final class CachedScreen {

    final ScreenSnapshot snapshot;

    /** Approximate memory. */
    final long bytes;

    private int historyLines;
    private @Nullable Future<RenderedScreen> rendered;

    CachedScreen(ScreenSnapshot at) {
        this.snapshot = at;
        this.bytes = at.screen().bytes();
    }

    /** Keeps the last rendering only: successive callers nearly always ask for the same number of scrollback lines. */
    synchronized Future<RenderedScreen> rendered(int historyLines, Supplier<Future<RenderedScreen>> render) {
        Future<RenderedScreen> known = rendered;
        if (known == null || known.failed() || this.historyLines != historyLines) {
            known = render.get();
            rendered = known;
            this.historyLines = historyLines;
        }
        return known;
    }
}
