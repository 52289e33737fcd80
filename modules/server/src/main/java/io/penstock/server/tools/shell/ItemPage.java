package io.penstock.server.tools.shell;

import io.penstock.engine.log.AsyncLoop;
import io.penstock.engine.log.Page;
import io.penstock.engine.view.DeltaReader;
import io.penstock.frames.Channel;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a run's items, as it is read. The log answers in pieces, where older frames are in another place than newer ones; a page ends
 * only where it is full or the run's state ends, so that a reader of a finished run does not miss its last items.
 */
final class ItemPage {

    private final ShellRun run;
    private final long sinceSeq;
    private final int limit;
    private final @Nullable Channel channel;
    private final ShellItems mapping;
    private final DeltaReader text;
    private final List<ShellItem> items = new ArrayList<>();
    private final long firstFrame;
    private long nextFrame;
    private long nextSeq;
    private int chars;
    private boolean full;

    /** @param channel only the items of this output; null for all */
    ItemPage(ShellRun run, long sinceSeq, int limit, @Nullable Channel channel) {
        this.run = run;
        this.sinceSeq = sinceSeq;
        this.limit = limit;
        this.channel = channel;
        this.mapping = new ShellItems(run.cap());
        this.text = run.reader();
        this.firstFrame = ShellItems.firstFrame(sinceSeq);
        this.nextFrame = firstFrame;
        this.nextSeq = sinceSeq;
    }

    Future<ShellRun.Items> read() {
        return AsyncLoop.of(this::readPiece).map(done -> new ShellRun.Items(items, nextSeq));
    }

    private Future<Boolean> readPiece() {
        long left = Math.min(run.state().nextSeq() - nextFrame, firstFrame + Limits.PAGE_FRAMES - nextFrame);
        return full || left <= 0
                ? Future.succeededFuture(false)
                : run.tasks()
                        .frames(run.runId(), nextFrame, (int) left)
                        .compose(piece -> run.onWorker(() -> add(piece)));
    }

    /** Returns whether there may be more. Frames after the run's state are for the next call, so that items and state agree. */
    private boolean add(Page piece) throws IOException {
        for (Frame frame : piece.frames()) {
            for (ShellItem item : mapping.of(text.withText(frame))) {
                if (item.seq() > sinceSeq && (channel == null || item.channel() == channel)) {
                    items.add(item);
                    chars += item.payload().length();
                }
                nextSeq = Math.max(nextSeq, item.seq());
                if (items.size() == limit || chars >= ShellLimits.PAGE_CHARS) {
                    full = true;
                    return false;
                }
            }
        }
        nextFrame = piece.nextSeq();
        nextSeq = Math.max(sinceSeq, ShellItems.cursor(nextFrame));
        return !piece.frames().isEmpty();
    }
}
