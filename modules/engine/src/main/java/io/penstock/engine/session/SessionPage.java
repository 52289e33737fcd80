package io.penstock.engine.session;

import io.penstock.engine.log.SessionRow;
import io.penstock.engine.log.TaskCursor;
import io.penstock.frames.SessionEnded;
import io.penstock.frames.SessionFrame;
import io.penstock.frames.SessionProgress;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One page of the list of sessions, the newest first.
 *
 * @param next the start of the next page; null on the last page
 */
public record SessionPage(List<Entry> sessions, @Nullable TaskCursor next) {

    /**
     * A listed session.
     *
     * @param lastAtMs the time of its newest frame
     */
    public record Entry(SessionState state, long startedAtMs, long lastAtMs) {

        static Entry of(SessionRow row) {
            SessionProgress progress = row.last().body() instanceof SessionFrame frame ? frame.progress() : null;
            return new Entry(
                    new SessionState(
                            row.last().stream().id(),
                            row.last().body() instanceof SessionEnded,
                            Objects.requireNonNullElse(progress, SessionProgress.NONE),
                            row.last().seq() + 1),
                    row.startedAtMs(),
                    row.last().timestampMs());
        }
    }

    public SessionPage {
        sessions = List.copyOf(sessions);
    }

    /** @param oneMore the rows found with one more than the limit, to learn whether there is a next page */
    static SessionPage of(List<SessionRow> oneMore, int limit) {
        List<SessionRow> rows = oneMore.subList(0, Math.min(limit, oneMore.size()));
        return new SessionPage(
                rows.stream().map(Entry::of).toList(),
                oneMore.size() > limit ? new TaskCursor(rows.getLast().streamNo()) : null);
    }
}
