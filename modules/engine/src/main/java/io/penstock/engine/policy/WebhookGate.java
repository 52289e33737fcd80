package io.penstock.engine.policy;

import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import java.util.Map;
import java.util.function.Supplier;

/** Whether the items of a session's mailbox may be sent to an address. May be asked from any thread. */
public final class WebhookGate {

    private final Supplier<Policy> inForce;

    public WebhookGate(Supplier<Policy> inForce) {
        this.inForce = inForce;
    }

    /**
     * Returns the name of the rule that allows it, or throws {@link PolicyDenied}.
     *
     * @param principal the caller who set the webhook
     * @param host a name, or an address
     */
    public String allow(Actor principal, String session, String scheme, String host, int port) {
        var question = new PolicyQuestion(
                Operation.WEBHOOK,
                principal,
                "webhook",
                Map.of("scheme", scheme, "host", host, "port", (long) port),
                TaskEnvironment.NONE,
                ExecutionMode.PIPES,
                session,
                0);
        return switch (inForce.get().verdict(question)) {
            case Verdict.Accept accepted -> accepted.rule();
            case Verdict.Deny denied -> throw new PolicyDenied("session_id", session, Operation.WEBHOOK, denied);
        };
    }
}
