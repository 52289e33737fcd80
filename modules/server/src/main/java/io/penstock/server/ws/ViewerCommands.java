package io.penstock.server.ws;

import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskCommand;
import io.penstock.frames.Actor;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.server.request.CommandReader;
import io.penstock.server.ws.wire.BadClientMessage;
import io.penstock.server.ws.wire.ClientMessage;
import io.penstock.server.ws.wire.MessageAssembler;
import io.penstock.server.ws.wire.ServerMessages;
import io.penstock.server.ws.wire.Wire;
import io.penstock.server.ws.wire.WsLimits;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out one viewer's commands in their order, and answers them. Lives on its socket's context. */
final class ViewerCommands {

    private static final Logger log = LoggerFactory.getLogger(ViewerCommands.class);

    /** The members of a message that do not belong to its command. */
    private static final List<String> ENVELOPE = List.of("type", "op");

    private final Viewer viewer;
    private final TaskApi tasks;
    private final AttachedViewers viewers;
    private final String taskId;
    private final String client;
    private final OperationHistory operations;
    private final boolean controls;
    private final CommandReader reader;

    /**
     * @param client the name that identifies repeated operations
     * @param operations the operations carried out before
     * @param controls whether the viewer may operate the task
     */
    ViewerCommands(
            Viewer viewer,
            TaskApi tasks,
            AttachedViewers viewers,
            String taskId,
            String client,
            OperationHistory operations,
            boolean controls,
            Actor actor) {
        this.viewer = viewer;
        this.tasks = tasks;
        this.viewers = viewers;
        this.taskId = taskId;
        this.client = client;
        this.operations = operations;
        this.controls = controls;
        this.reader = new CommandReader(taskId, actor, ENVELOPE, WsLimits.CLIENT_MESSAGE_BYTES);
    }

    MessageAssembler.Listener listener(Wire wire) {
        return new MessageAssembler.Listener() {
            @Override
            public void text(Buffer utf8) {
                handle(() -> wire.readText(utf8, reader));
            }

            @Override
            public void bytes(Buffer bytes) {
                handle(() -> wire.readBytes(bytes, reader));
            }

            @Override
            public void tooLong() {
                viewer.closeForTooLong();
            }
        };
    }

    /** Handles one message. An invalid one is refused, and later ones are accepted; after the close, nothing is done. */
    private void handle(Supplier<List<ClientMessage>> message) {
        if (viewer.isClosed()) {
            return;
        }
        try {
            message.get().forEach(this::handle);
        } catch (BadClientMessage e) {
            viewer.send(ServerMessages.refused(e.op(), e));
        } catch (Failure e) {
            viewer.send(ServerMessages.refused(null, e));
        }
    }

    private void handle(ClientMessage message) {
        switch (message) {
            case ClientMessage.Parsed parsed -> viewer.parsed(parsed.nextSeq());
            case ClientMessage.Hidden _ -> viewer.hidden();
            case ClientMessage.Shown _ -> viewer.shown();
            case ClientMessage.Operation operation -> {
                viewer.commandReceived();
                viewer.context().after(once(operation), done -> {
                    Throwable why = done.cause();
                    if (why != null && !(why instanceof Failure)) {
                        log.error("An operation on task {} failed unexpectedly", taskId, why);
                    }
                    viewer.answer(
                            why == null
                                    ? ServerMessages.done(operation.op(), done.result())
                                    : ServerMessages.refused(operation.op(), why));
                });
            }
        }
    }

    private Future<@Nullable Long> once(ClientMessage.Operation operation) {
        if (!controls) {
            return Future.failedFuture(new Failure(
                    FailureCode.PERMISSION_DENIED, "You are attached to view; attach with rights=control to do this"));
        }
        try {
            Future<@Nullable Long> done = operations.once(taskId, client, operation.op(), () -> apply(operation));
            if (operation instanceof ClientMessage.Command command
                    && command.command() instanceof TaskCommand.Resize resize
                    && !done.failed()) {
                viewers.restoreSize(taskId, viewer, resize.size());
            }
            return done;
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
    }

    private Future<@Nullable Long> apply(ClientMessage.Operation operation) {
        return switch (operation) {
            case ClientMessage.ChooseSize choose -> viewers.choose(taskId, viewer, choose.policy());
            // A terminal's size depends on all of its viewers.
            case ClientMessage.Command(long op, TaskCommand.Resize resize) ->
                viewers.resized(taskId, viewer, resize.size());
            case ClientMessage.Command command -> tasks.apply(command.command());
        };
    }
}
