package io.penstock.server.webhook;

import java.util.ArrayDeque;

/** The deliveries that the node makes at once; others wait in order. Lives on the webhooks' context. */
final class DeliverySlots {

    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private int free;

    DeliverySlots(int slots) {
        this.free = slots;
    }

    /** Runs the delivery, now or later; it gives its slot back once. */
    void enter(Runnable delivery) {
        if (free > 0) {
            free--;
            delivery.run();
        } else {
            waiting.add(delivery);
        }
    }

    void leave() {
        Runnable next = waiting.poll();
        if (next == null) {
            free++;
        } else {
            next.run();
        }
    }
}
