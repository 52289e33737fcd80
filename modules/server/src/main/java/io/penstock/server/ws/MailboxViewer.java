package io.penstock.server.ws;

import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.session.Mailbox;
import io.penstock.engine.session.SessionApi;
import io.penstock.engine.session.SessionState;
import io.penstock.frames.Actor;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.server.guard.Guard;
import io.penstock.server.request.RequestFields;
import io.penstock.server.request.SessionJson;
import io.penstock.server.ws.wire.MessageAssembler;
import io.penstock.server.ws.wire.WsLimits;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client that is attached to a mailbox. It is sent an item when its socket has room, so a slow one delays only itself; its commands are
 * carried out one at a time, and it is not read meanwhile. Lives on its socket's context.
 */
final class MailboxViewer {

    private static final Logger log = LoggerFactory.getLogger(MailboxViewer.class);

    private final ServerWebSocket socket;
    private final SessionApi sessions;
    private final TaskApi tasks;
    private final @Nullable Actor actor;
    private final boolean snippets;
    private final Runnable detached;
    private final ViewerContext context;
    private final SendQueue queue;
    private final Keepalive keepalive;
    private final Runnable signOutForgotten;
    private @Nullable FrameFollower follower;
    private String session = "";
    private long existing;
    private boolean caughtUp;
    private boolean sending;
    private boolean commanded;
    private boolean closed;

    /**
     * @param actor recorded as having acknowledged and ended; null if the client may only view
     * @param detached called once, when the client has left
     */
    MailboxViewer(
            RoutingContext request,
            ServerWebSocket socket,
            SessionApi sessions,
            TaskApi tasks,
            @Nullable Actor actor,
            boolean snippets,
            Runnable detached) {
        this.socket = socket;
        this.sessions = sessions;
        this.tasks = tasks;
        this.actor = actor;
        this.snippets = snippets;
        this.detached = detached;
        this.context = new ViewerContext(request.vertx().getOrCreateContext(), this::failed);
        this.queue = new SendQueue(request.vertx(), context, socket, true, this::drained);
        this.keepalive = new Keepalive(
                request.vertx(),
                context,
                socket,
                WsLimits.PING_MS,
                () -> !queue.isFull() && !commanded,
                () -> close(Viewer.GOING_AWAY, "no ping is answered any more; attach again from where you are"));
        this.signOutForgotten = Guard.closeOnSignOut(
                request,
                () -> context.soon(() -> close(Viewer.SIGNED_OUT, "the browser has signed out; sign in again")));
        socket.closeHandler(gone -> stop());
        socket.exceptionHandler(broken -> {
            if (socket.isClosed()) {
                stop();
            } else {
                close(Viewer.PROTOCOL_ERROR, "that is no frame of a WebSocket");
            }
        });
        socket.frameHandler(context.each(new MessageAssembler(listener())::frame));
    }

    void start(SessionState state, long fromSeq) {
        context.now(() -> {
            session = state.sessionId();
            existing = state.nextSeq();
            send(MailboxMessages.ready(state, actor != null, fromSeq));
            sendIfCaughtUp(fromSeq);
            FrameFollower frames = sessions.follow(session, fromSeq);
            follower = frames;
            frames.pause();
            frames.exceptionHandler(this::failed);
            frames.endHandler(over -> close(Viewer.GOING_AWAY, "the server shuts down"));
            frames.handler(frame -> context.now(() -> handle(frame)));
            frames.fetch(1);
        });
    }

    private void handle(Frame frame) {
        if (closed) {
            return;
        }
        if (!Mailbox.isItem(frame.body())) {
            sent(frame);
            return;
        }
        sending = true;
        context.after(SessionJson.item(tasks, frame, snippets), item -> {
            sending = false;
            if (item.failed()) {
                failed(item.cause());
            } else {
                send(item.result());
                sent(frame);
            }
        });
    }

    private void sent(Frame frame) {
        sendIfCaughtUp(frame.seq() + 1);
        if (!queue.isFull()) {
            next();
        } else {
            sending = true; // until the queue has drained
        }
    }

    private void next() {
        FrameFollower frames = follower;
        if (!closed && frames != null) {
            frames.fetch(1);
        }
    }

    private void drained() {
        if (sending && !queue.isFull()) {
            sending = false;
            next();
        }
    }

    private void sendIfCaughtUp(long nextSeq) {
        if (!caughtUp && nextSeq >= existing) {
            caughtUp = true;
            send(MailboxMessages.caughtUp(existing));
        }
    }

    private void send(JsonObject object) {
        if (!closed) {
            queue.sendSoon(object.toBuffer());
        }
    }

    private MessageAssembler.Listener listener() {
        return new MessageAssembler.Listener() {
            @Override
            public void text(Buffer utf8) {
                MailboxViewer.this.handle(utf8.getBytes());
            }

            @Override
            public void bytes(Buffer bytes) {
                send(MailboxMessages.refused(
                        null, RequestFields.wrong("Messages to a mailbox are text; send a JSON object")));
            }

            @Override
            public void tooLong() {
                close(Viewer.TOO_LONG, "a message has at most 64 KiB");
            }
        };
    }

    private void handle(byte[] utf8) {
        if (closed) {
            return;
        }
        MailboxMessages.Command command;
        try {
            command = MailboxMessages.read(utf8);
        } catch (Failure e) {
            send(MailboxMessages.refused(MailboxMessages.opOrNull(utf8), e));
            return;
        }
        commanded = true;
        socket.pause();
        context.after(carryOut(command), done -> {
            commanded = false;
            Throwable why = done.cause();
            if (why != null && !(why instanceof Failure)) {
                log.error("An operation on the session {} failed unexpectedly", session, why);
            }
            send(
                    why == null
                            ? MailboxMessages.done(command.op(), done.result())
                            : MailboxMessages.refused(command.op(), why));
            if (!closed && !queue.isFull()) {
                socket.resume();
            }
        });
    }

    private Future<SessionState> carryOut(MailboxMessages.Command command) {
        Actor by = actor;
        if (by == null) {
            return Future.failedFuture(new Failure(
                    FailureCode.PERMISSION_DENIED, "You are attached to view; attach with rights=control to do this"));
        }
        return switch (command) {
            case MailboxMessages.Command.Acknowledge ack -> sessions.acknowledge(session, ack.throughSeq(), by);
            case MailboxMessages.Command.End end -> sessions.end(session, end.reason(), by);
        };
    }

    private void failed(Throwable why) {
        if (!closed) {
            log.warn("A viewer of the mailbox of {} was disconnected: {}", session, String.valueOf(why));
            close(Viewer.INTERNAL_ERROR, Viewer.WHY_INTERNAL_ERROR);
        }
    }

    private void close(short code, String reason) {
        if (!closed) {
            queue.flush();
            stop();
            socket.close(code, reason);
        }
    }

    private void stop() {
        if (!closed) {
            closed = true;
            keepalive.stop();
            queue.stop();
            signOutForgotten.run();
            if (follower != null) {
                Objects.requireNonNull(follower).cancel();
            }
            detached.run();
        }
    }
}
