package io.penstock.server.ws;

import io.penstock.server.ws.wire.WsLimits;
import io.vertx.core.Vertx;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * Sends presence to a viewer: only the newest, at a limited rate, and only while the viewer reads. So neither a slow viewer
 * nor many that come and go cause a backlog.
 */
final class PresenceUpdates {

    private final Vertx vertx;
    private final ViewerContext context;
    private final BooleanSupplier hasRoom;
    private final IntSupplier send;
    private final AtomicBoolean changed = new AtomicBoolean();
    private boolean resting;

    /**
     * @param hasRoom whether the viewer takes a message now
     * @param send sends presence, on the viewer's context, and returns the number of viewers
     */
    PresenceUpdates(Vertx vertx, ViewerContext context, BooleanSupplier hasRoom, IntSupplier send) {
        this.vertx = vertx;
        this.context = context;
        this.hasRoom = hasRoom;
        this.send = send;
    }

    /** Presence has changed. May be called from any thread. */
    void changed() {
        if (changed.compareAndSet(false, true)) {
            context.soon(this::sendIfChanged);
        }
    }

    /** Sends presence if it has changed and there is room. Called on the viewer's context, also when there is room again. */
    void sendIfChanged() {
        if (!changed.get() || resting || !hasRoom.getAsBoolean()) {
            return;
        }
        resting = true;
        changed.set(false);
        int viewers = send.getAsInt();
        // Each of n viewers is sent all n, so the rate falls with their number.
        vertx.setTimer(WsLimits.PRESENCE_MS + viewers, context.each(later -> {
            resting = false;
            sendIfChanged();
        }));
    }
}
