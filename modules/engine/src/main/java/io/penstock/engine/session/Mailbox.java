package io.penstock.engine.session;

import io.penstock.engine.log.AsyncLoop;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.Page;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.Limits;
import io.penstock.frames.SessionTaskEnded;
import io.penstock.frames.SessionWatcherHit;
import io.penstock.frames.StreamId;
import io.penstock.frames.ToolEnded;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The mailbox of a session: those of its frames that its owner should learn of, in order, until they are acknowledged. */
public final class Mailbox {

    /**
     * A page of items.
     *
     * @param nextSeq where the next page begins; frames that are not items are passed over
     */
    public record Items(List<Frame> items, long nextSeq) {

        public Items {
            items = List.copyOf(items);
        }
    }

    private Mailbox() {}

    public static boolean isItem(FrameBody body) {
        return switch (body) {
            case ToolEnded _, SessionWatcherHit _ -> true;
            case SessionTaskEnded ended -> ended.notifies();
            default -> false;
        };
    }

    /**
     * Reads items from a frame on, at most {@code limit}, within a bounded number of frames and a bounded length of results: a page without
     * items that moves {@code nextSeq} may be followed by others.
     */
    static Future<Items> read(FrameLog log, StreamId stream, long fromSeq, int limit) {
        return log.read(stream, fromSeq, Limits.PAGE_FRAMES).map(page -> {
            var items = new ArrayList<Frame>();
            int resultChars = 0;
            for (Frame frame : page.frames()) {
                if (isItem(frame.body())) {
                    items.add(frame);
                    resultChars += resultChars(frame.body());
                }
                if (items.size() == limit || resultChars >= Limits.MAILBOX_RESULT_CHARS) {
                    return new Items(items, frame.seq() + 1);
                }
            }
            return new Items(items, page.nextSeq());
        });
    }

    private static int resultChars(FrameBody body) {
        return body instanceof SessionTaskEnded ended && ended.result() != null
                ? ended.result().length()
                : 0;
    }

    /** Counts the items from a frame to a frame, inclusive. */
    static Future<Long> count(FrameLog log, StreamId stream, long fromSeq, long toSeq) {
        var counted = new Counted(fromSeq);
        return AsyncLoop.of(() -> counted.fromSeq > toSeq
                        ? Future.succeededFuture(false)
                        : log.read(stream, counted.fromSeq, (int)
                                        Math.min(Limits.PAGE_FRAMES, toSeq - counted.fromSeq + 1))
                                .map(counted::add))
                .map(done -> counted.items);
    }

    /**
     * Whether the end of a task's run is recorded below a frame. Reads backwards until frames are older than the end can be, so a long stream
     * costs no more than what came after the end.
     */
    static Future<Boolean> hasEnd(
            FrameLog log, StreamId stream, long belowSeq, String taskId, int run, long notBeforeMs) {
        var search = new BackwardSearch(belowSeq, notBeforeMs) {
            private boolean found;

            @Override
            void look(Frame frame) {
                found |= switch (frame.body()) {
                    case ToolEnded ended -> ended.task().id().equals(taskId);
                    case SessionTaskEnded ended ->
                        ended.run() == run && ended.task().id().equals(taskId);
                    default -> false;
                };
            }

            @Override
            boolean isDone() {
                return found;
            }
        };
        return search.run(log, stream).map(done -> search.isDone());
    }

    /**
     * The seq, in the task's stream, of the newest recorded hit of each of these watchers. A watcher without a hit that is not too old is
     * left out.
     */
    static Future<Map<String, Long>> newestHits(
            FrameLog log, StreamId stream, long belowSeq, String taskId, Set<String> watchers, long notBeforeMs) {
        var newest = new HashMap<String, Long>();
        var search = new BackwardSearch(belowSeq, notBeforeMs) {
            @Override
            void look(Frame frame) {
                if (frame.body() instanceof SessionWatcherHit hit
                        && hit.task().id().equals(taskId)) {
                    newest.merge(hit.watcherId(), hit.lastTaskSeq(), Math::max);
                }
            }

            @Override
            boolean isDone() {
                return newest.keySet().containsAll(watchers);
            }
        };
        return search.run(log, stream).map(done -> newest);
    }

    /** Windows of frames, the last first, each read forward, until one has what is searched, or is too old to have it. */
    private abstract static class BackwardSearch {
        private final long notBeforeMs;
        private long end;
        private long cursor;
        private long oldestMs = Long.MAX_VALUE;

        BackwardSearch(long belowSeq, long notBeforeMs) {
            this.notBeforeMs = notBeforeMs;
            this.end = belowSeq;
            this.cursor = Math.max(0, belowSeq - Limits.PAGE_FRAMES);
        }

        abstract void look(Frame frame);

        /** Asked at the end of a window. */
        abstract boolean isDone();

        Future<Void> run(FrameLog log, StreamId stream) {
            return AsyncLoop.of(() -> cursor >= end
                    ? Future.succeededFuture(false)
                    : log.read(stream, cursor, (int) (end - cursor)).map(this::add));
        }

        /** Whether there is another page to read. */
        private boolean add(Page page) {
            for (Frame frame : page.frames()) {
                look(frame);
                oldestMs = Math.min(oldestMs, frame.timestampMs());
            }
            cursor = page.nextSeq();
            if (cursor >= end) {
                long windowStart = Math.max(0, end - Limits.PAGE_FRAMES);
                end = windowStart;
                cursor = Math.max(0, windowStart - Limits.PAGE_FRAMES);
                return !isDone() && end > 0 && oldestMs >= notBeforeMs;
            }
            return !page.frames().isEmpty();
        }
    }

    private static final class Counted {
        long fromSeq;
        long items;

        Counted(long fromSeq) {
            this.fromSeq = fromSeq;
        }

        /** Whether there may be another page. */
        boolean add(Page page) {
            fromSeq = page.nextSeq();
            items +=
                    page.frames().stream().filter(frame -> isItem(frame.body())).count();
            return !page.frames().isEmpty();
        }
    }
}
