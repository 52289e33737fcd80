package io.penstock.engine.agent;

import io.penstock.frames.AgentSpec;

/** The protocols by their names. */
public final class AgentProtocols {

    private AgentProtocols() {}

    public static AgentProtocol of(AgentSpec.Protocol protocol, AgentProtocol.Listener listener) {
        return switch (protocol) {
            case ACP -> new AcpProtocol(listener);
            case PI -> new PiProtocol(listener);
        };
    }
}
