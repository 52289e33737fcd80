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

/** The memory reserved for screens that are being sent to one viewer. May be called from any thread. */
final class ScreenReservations {

    private final AnswerBudget budget;
    private final Vertx vertx;
    private final TaskApi tasks;
    private final String taskId;
    private final Runnable disconnect;
    private final Set<AnswerBudget.Share> held = new HashSet<>();
    private AnswerBudget.@Nullable Share newest;
    private boolean stopped;

    /** @param disconnect closes the viewer's connection, which then stops this */
    ScreenReservations(AnswerBudget budget, Vertx vertx, TaskApi tasks, String taskId, Runnable disconnect) {
        this.budget = budget;
        this.vertx = vertx;
        this.tasks = tasks;
        this.taskId = taskId;
        this.disconnect = disconnect;
    }

    /** Draws a screen as soon as there is memory for it. */
    Future<RenderedScreen> acquire(Supplier<Future<RenderedScreen>> draw) {
        return tasks.state(taskId)
                .compose(state ->
                        budget.acquire(vertx, AnswerBudget.Kind.VIEWER, taskId, ScreenMemory.most(state), disconnect))
                .compose(share -> {
                    hold(share);
                    return draw.get()
                            .onSuccess(screen -> {
                                share.resize(Math.max(1, screen.bytes().length));
                                share.offered();
                            })
                            .onFailure(e -> release(share));
                });
    }

    private void hold(AnswerBudget.Share share) {
        synchronized (this) {
            held.add(share);
            newest = share;
            if (!stopped) {
                return;
            }
        }
        release(share);
    }

    private void release(AnswerBudget.Share share) {
        synchronized (this) {
            held.remove(share);
        }
        share.giveBack();
    }

    /** The messages of the newest screen; its memory is released with the last one. */
    synchronized Iterator<Buffer> pieces(Iterator<Buffer> messages) {
        AnswerBudget.Share share = newest;
        return share == null ? messages : new Pieces(messages, share);
    }

    /** Releases all memory: no more screens are sent. */
    void stop() {
        Set<AnswerBudget.Share> all;
        synchronized (this) {
            stopped = true;
            all = Set.copyOf(held);
        }
        all.forEach(this::release);
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
                release(share);
            }
            return message;
        }
    }
}
