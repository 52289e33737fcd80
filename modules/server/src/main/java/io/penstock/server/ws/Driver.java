package io.penstock.server.ws;

import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Actor;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does what one viewer wants, in its order, and tells it what became of it. Lives on its socket's context. */
final class Driver {

    private static final Logger log = LoggerFactory.getLogger(Driver.class);

    private final Viewer viewer;
    private final TaskApi tasks;
    private final Rooms rooms;
    private final String taskId;
    private final String client;
    private final KnownOperations known;
    private final boolean controls;
    private final Actor actor;

    /**
     * @param client by which what it does is known again
     * @param known in which it is
     * @param controls whether it may do anything
     */
    Driver(
            Viewer viewer,
            TaskApi tasks,
            Rooms rooms,
            String taskId,
            String client,
            KnownOperations known,
            boolean controls,
            Actor actor) {
        this.viewer = viewer;
        this.tasks = tasks;
        this.rooms = rooms;
        this.taskId = taskId;
        this.client = client;
        this.known = known;
        this.controls = controls;
        this.actor = actor;
    }

    Incoming.Listener hears(Wire wire) {
        return new Incoming.Listener() {
            @Override
            public void text(Buffer utf8) {
                take(() -> wire.readText(utf8));
            }

            @Override
            public void bytes(Buffer bytes) {
                take(() -> wire.readBytes(bytes));
            }

            @Override
            public void tooLong() {
                viewer.tooLong();
            }
        };
    }

    /** One message. What is wrong with it is told, and the next is taken all the same; but nothing is done that cannot be answered any more. */
    private void take(Supplier<List<Asked>> message) {
        if (viewer.isOver()) {
            return;
        }
        try {
            message.get().forEach(this::take);
        } catch (AskedWrongly e) {
            viewer.tell(News.refused(e.op(), e));
        } catch (Failure e) {
            viewer.tell(News.refused(null, e));
        }
    }

    private void take(Asked asked) {
        switch (asked) {
            case Asked.Parsed parsed -> viewer.parsed(parsed.nextSeq());
            case Asked.Hidden _ -> viewer.hidden();
            case Asked.Shown _ -> viewer.shown();
            case Asked.Operation operation -> {
                viewer.asked();
                viewer.steps().after(once(operation), done -> {
                    Throwable why = done.cause();
                    if (why != null && !(why instanceof Failure)) {
                        log.error("An operation on task {} failed in a way that nobody foresaw", taskId, why);
                    }
                    viewer.answer(
                            why == null ? News.done(operation.op(), done.result()) : News.refused(operation.op(), why));
                });
            }
        }
    }

    private Future<@Nullable Long> once(Asked.Operation operation) {
        if (!controls) {
            return Future.failedFuture(new Failure(
                    FailureCode.PERMISSION_DENIED, "You are attached to view; attach with rights=control to do this"));
        }
        try {
            Future<@Nullable Long> done = known.once(taskId, client, operation.op(), () -> apply(operation));
            if (operation instanceof Asked.Resize resize && !done.failed()) {
                rooms.saidBefore(taskId, viewer, resize.size());
            }
            return done;
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
    }

    private Future<@Nullable Long> apply(Asked.Operation operation) {
        return switch (operation) {
            case Asked.Input input -> tasks.stdin(taskId, input.bytes(), actor).map(seq -> seq);
            case Asked.Resize resize -> rooms.resized(taskId, viewer, resize.size());
            case Asked.ChooseSize choose -> rooms.choose(taskId, viewer, choose.policy());
            case Asked.SendSignal signal ->
                tasks.signal(taskId, signal.signal(), actor).map(seq -> seq);
            case Asked.Cancel cancel ->
                tasks.cancel(taskId, cancel.reason(), actor).map(done -> null);
        };
    }
}
