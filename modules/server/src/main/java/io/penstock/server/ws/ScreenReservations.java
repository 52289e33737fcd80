package io.penstock.server.ws;

import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.screen.RenderedScreen;
import io.penstock.server.budget.AnswerBudget;
import io.penstock.server.budget.ScreenMemory;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the screens that are on their way to one viewer take of the memory. May be called from any thread. */
final class ScreenReservations {

    private final Vertx vertx;
    private final TaskApi tasks;
    private final String taskId;
    private final Runnable breakOff;
    private final Set<AnswerBudget.Share> taken = new HashSet<>();
    private AnswerBudget.@Nullable Share newest;
    private boolean stopped;

    /** @param breakOff closes the viewer's connection, which then stops this */
    ScreenReservations(Vertx vertx, TaskApi tasks, String taskId, Runnable breakOff) {
        this.vertx = vertx;
        this.tasks = tasks;
        this.taskId = taskId;
        this.breakOff = breakOff;
    }

    /** A screen, once there is memory for it. */
    Future<RenderedScreen> acquire(Supplier<Future<RenderedScreen>> draw) {
        return tasks.state(taskId)
                .compose(state -> AnswerBudget.ofThisProcess()
                        .acquire(vertx, AnswerBudget.Kind.VIEWER, taskId, ScreenMemory.most(state), breakOff))
                .compose(share -> {
                    hold(share);
                    return draw.get()
                            .onSuccess(screen -> {
                                share.resize(Math.max(1, screen.bytes().length));
                                share.offered();
                            })
                            .onFailure(e -> giveBack(share));
                });
    }

    private void hold(AnswerBudget.Share share) {
        synchronized (this) {
            taken.add(share);
            newest = share;
            if (!stopped) {
                return;
            }
        }
        giveBack(share);
    }

    private void giveBack(AnswerBudget.Share share) {
        synchronized (this) {
            taken.remove(share);
        }
        share.giveBack();
    }

    /** The messages of the screen that was taken last: with the last of them, its share is given back. */
    synchronized Iterator<Buffer> pieces(Iterator<Buffer> messages) {
        AnswerBudget.Share share = newest;
        return share == null ? messages : new Pieces(messages, share);
    }

    /** Nothing is sent any more. */
    void stop() {
        Set<AnswerBudget.Share> all;
        synchronized (this) {
            stopped = true;
            all = Set.copyOf(taken);
        }
        all.forEach(this::giveBack);
    }

    private final class Pieces implements Iterator<Buffer> {

        private final Iterator<Buffer> messages;
        private final AnswerBudget.Share share;

        Pieces(Iterator<Buffer> messages, AnswerBudget.Share share) {
            this.messages = messages;
            this.share = share;
        }

        @Override
        public boolean hasNext() {
            return messages.hasNext();
        }

        @Override
        public Buffer next() {
            Buffer message = messages.next();
            if (messages.hasNext()) {
                share.offered();
            } else {
                giveBack(share);
            }
            return message;
        }
    }
}
