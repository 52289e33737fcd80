package io.penstock.engine.host;

import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Failure;
import io.penstock.frames.Frame;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A host that is connected: the order of its commands, answers and events. Lives on the context of all hosts. */
public final class ConnectedHost {

    private static final Logger log = LoggerFactory.getLogger(ConnectedHost.class);

    /** Takes what the host gets, in its order. */
    public interface Outbox {

        /** The events of one frame, which are equal for all hosts. */
        void events(Frame frame, List<HostEvent> events);

        /** An event of no frame. */
        void event(HostEvent event);

        /** The events of a task cannot be read. Without them the host would be misled. */
        void eventsLost(String taskId, Throwable why);
    }

    /** Carries an operation out once for all repetitions of a command; each gets its answer. */
    public interface Once {

        Future<HostAnswer> run(Supplier<Future<HostAnswer>> operation);
    }

    private final HostTasks hostTasks;
    private final OpenTasks open;
    private final TaskApi tasks;
    private final OneThread thread;
    private final Outbox outbox;
    private final Map<String, EventCursor> cursors = new HashMap<>();
    private final Map<String, Future<Void>> lanes = new HashMap<>();
    private boolean full;

    ConnectedHost(HostTasks hostTasks, OpenTasks open, TaskApi tasks, OneThread thread, Outbox outbox) {
        this.hostTasks = hostTasks;
        this.open = open;
        this.tasks = tasks;
        this.thread = thread;
        this.outbox = outbox;
    }

    /** Whether there is no room for events: they wait in the ledger. */
    public void full(boolean now) {
        full = now;
        List.copyOf(cursors.values()).forEach(cursor -> cursor.full(now));
    }

    /** The host is gone. Its commands are carried out all the same. */
    public void close() {
        open.disconnected(this);
        List.copyOf(cursors.values()).forEach(EventCursor::close);
    }

    void tell(HostEvent event) {
        outbox.event(event);
    }

    /** From this frame on, the host gets the task's events. */
    void follow(String taskId, long fromSeq, HostEvents events) {
        EventCursor known = cursors.get(taskId);
        if (known != null) {
            known.reopen();
            return;
        }
        var cursor = new EventCursor(
                tasks.follow(taskId, fromSeq),
                fromSeq,
                events,
                outbox,
                why -> outbox.eventsLost(taskId, why),
                () -> cursors.remove(taskId));
        cursors.put(taskId, cursor);
        cursor.full(full);
    }

    /**
     * Carries a command out when its turn comes; completes when the next command of its lanes may begin, and never fails.
     *
     * @param write called with the answer at its place among the events, unless the host is gone
     */
    public Future<Void> accept(HostCommand command, Once once, Consumer<HostAnswer> write) {
        Promise<Void> done = Promise.promise();
        Future<?> before =
                Future.join(command.waitsIn().stream().map(this::lane).toList());
        command.delays().forEach(lane -> lanes.put(lane, done.future()));
        return before.transform(turn -> carryOut(command, once, write).<Void>mapEmpty())
                .recover(e -> answer(Future.failedFuture(e), write))
                .onComplete(over -> {
                    command.delays().forEach(lane -> lanes.remove(lane, done.future()));
                    done.complete();
                });
    }

    private Future<Void> lane(String name) {
        return lanes.getOrDefault(name, Future.succeededFuture());
    }

    private Future<?> carryOut(HostCommand command, Once once, Consumer<HostAnswer> write) {
        return switch (command) {
            case HostCommand.State state ->
                answer(hostTasks.state(state.after()).map(HostAnswer::result), write);
            case HostCommand.CreateOrOpen wanted -> answer(kept(once, () -> hostTasks.createOrOpen(wanted)), write);
            case HostCommand.Stop stop -> answer(kept(once, () -> hostTasks.stop(stop.task())), write);
            case HostCommand.Invalid invalid -> answer(kept(once, () -> Future.failedFuture(invalid.why())), write);
            case HostCommand.Prompt prompt -> prompt(prompt, once, write);
            case HostCommand.Switch to -> switchTo(to, once, write);
        };
    }

    /** No event is sent before the place of the answer is known: it is the frame that begins the turn. */
    private Future<?> prompt(HostCommand.Prompt prompt, Once once, Consumer<HostAnswer> write) {
        List<EventCursor> held = List.copyOf(cursors.values());
        held.forEach(EventCursor::hold);
        return answer(kept(once, () -> hostTasks.prompt(prompt)), write, () -> held.forEach(EventCursor::release));
    }

    /** Answers to repetitions of the same command are ahead of its events. */
    private Future<?> switchTo(HostCommand.Switch to, Once once, Consumer<HostAnswer> write) {
        SwitchAttempt attempt = hostTasks.switchTo(to.task());
        return answer(kept(once, attempt::check), write)
                .compose(answered -> thread.nextTurn())
                .compose(turn -> attempt.carryOut());
    }

    /** The first answer, a result or an error, is the answer to each repetition of the request. */
    private Future<HostAnswer> kept(Once once, Supplier<Future<HostAnswer>> operation) {
        return thread.here(once.run(() -> thread.nextTurn()
                .compose(turn -> operation.get())
                .recover(why -> {
                    HostRefusal refusal = HostRefusal.of(why);
                    return refusal.isFinal()
                            ? Future.succeededFuture(HostAnswer.error(refusal))
                            : Future.failedFuture(why);
                })));
    }

    private Future<Void> answer(Future<HostAnswer> outcome, Consumer<HostAnswer> write) {
        return answer(outcome, write, () -> {});
    }

    /**
     * Writes the answer at its place; completes when it is written, or never will be.
     *
     * @param placed called when the place is known
     */
    private Future<Void> answer(Future<HostAnswer> outcome, Consumer<HostAnswer> write, Runnable placed) {
        return outcome.otherwise(ConnectedHost::failed).compose(answer -> {
            Promise<Void> written = Promise.promise();
            EventCursor cursor = answer.taskId() == null ? null : cursors.get(answer.taskId());
            Runnable atItsPlace = () -> {
                write.accept(answer);
                written.complete();
            };
            if (cursor == null) {
                atItsPlace.run();
            } else {
                cursor.writeAfter(answer.seq(), atItsPlace);
            }
            placed.run();
            return written.future();
        });
    }

    private static HostAnswer failed(Throwable why) {
        if (!(why instanceof Failure)) {
            log.error("A command of a host failed unexpectedly", why);
        }
        return HostAnswer.error(why);
    }
}
