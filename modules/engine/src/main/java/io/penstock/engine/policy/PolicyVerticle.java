package io.penstock.engine.policy;

import io.vertx.core.VerticleBase;

/**
 * Owns the rules in force. Shards take them as they are at that moment and ask them on their own thread: a keystroke waits for no
 * message to another thread, and one question never meets half of a change.
 */
public final class PolicyVerticle extends VerticleBase {

    private volatile Policy inForce;

    public PolicyVerticle(Policy first) {
        this.inForce = first;
    }

    /** May be called from any thread, and is as cheap as reading a field. */
    public Policy inForce() {
        return inForce;
    }
}
