package io.penstock.engine.log;

import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds sessions, including those of earlier processes. May be called from any thread. */
public interface SessionIndex {

    /**
     * Lists sessions that were used before this call, the newest first. Fails with {@code DATABASE_UNAVAILABLE} if the
     * database does not answer.
     *
     * @param after the last session of the previous page; null for the first page
     */
    Future<List<SessionRow>> sessions(@Nullable TaskCursor after, int limit);
}
