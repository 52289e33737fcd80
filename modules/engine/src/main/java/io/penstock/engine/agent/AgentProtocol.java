package io.penstock.engine.agent;

import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A conversation with one agent program: turns its lines into events, and wishes into lines. Used by one thread at a time. A wish that the
 * conversation cannot take now is a defect of the caller and throws {@code IllegalStateException}; everything that the program does
 * wrong becomes an {@link AgentEvent.Broken}, after which nothing follows.
 */
public interface AgentProtocol {

    /** Receives what follows from the program's lines and from wishes, in order, during the calls of the methods below. */
    interface Listener {

        /** Bytes for the program's input: whole lines. */
        void send(byte[] lines);

        void happened(AgentEvent event);
    }

    /**
     * Begins to speak; {@link AgentEvent.Opened} follows.
     *
     * @param folder the absolute folder that the agent works in
     * @param sessionId the conversation to load; null for a new one
     */
    void open(String folder, @Nullable String sessionId);

    /**
     * Sets the cost so far of the conversation that will be loaded. Called before {@link #open}, because some programs report the cost of the
     * whole conversation.
     */
    void setCostBefore(long costMicroUsd);

    /** Reads output of the program, cut anywhere. */
    void read(ByteBuffer bytes);

    /** Starts a turn, while none is running; {@link AgentEvent.Settled} follows when the agent has settled. */
    void prompt(String text);

    /** Whether {@link #steer} may be called during a turn; if not, a turn has to be interrupted and another started. */
    boolean canSteer();

    /** Adds a message to the running turn. */
    void steer(String text);

    /**
     * Asks whether the running turn has settled, where a program can be asked: in case that it did not say so, or was not understood. {@link
     * AgentEvent.Settled} follows if it has.
     */
    void poll();

    /** Asks the agent to end the running turn early; {@link AgentEvent.Settled} follows. */
    void interrupt();

    /**
     * Answers {@link AgentEvent.Asks}.
     *
     * @param questionId of the event; a question that is not open is ignored, because its turn may have ended meanwhile
     */
    void answer(String questionId, boolean allow);

    /** Answers {@link AgentEvent.Calls} with a result. */
    void reply(String callId, JsonObject result);

    /** Answers {@link AgentEvent.Calls} with an error. */
    void refuse(String callId, String message);

    /** The program's output has ended: a turn that runs is {@link AgentEvent.Broken}. */
    void ended();
}
