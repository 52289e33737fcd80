package io.penstock.engine.spawn;

import io.penstock.frames.Channel;
import io.penstock.frames.Containment;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A started program. From {@link #attach} on, its methods and those of its listener are called on the owner's context only. The
 * exceptions are {@link #identity}, {@link #containment}, {@link #survivors} and {@link #killAll}: any thread may call them, best a
 * worker, as they may read all of /proc.
 */
public interface RunningProcess {
    /** Called with the program's events: all output of a channel in order, then its {@code closed}; the exit at any time. */
    interface Listener {
        /** @param bytes valid only during the call; the next read overwrites them */
        void output(Channel channel, ByteBuffer bytes);

        /** The end of this output: no process holds it open. */
        void closed(Channel channel);

        /** The program itself has ended. Processes that it started may live on and write. */
        void exited(ProcessExit exit);
    }

    ProcessIdentity identity();

    /** How reliably the processes that it starts can be found. */
    Containment containment();

    /** Starts reading and waiting for the exit. Called once, on the owner's context. */
    void attach(Context owner, Listener listener);

    /** Stops reading, so the program blocks when its pipe is full. Output already read is still delivered. */
    void pause();

    void resume();

    /** Reads the output that is available now, even while paused, so that later events follow it. Bounded if the program keeps writing. */
    void drainNow();

    /**
     * Succeeds when the kernel has accepted all bytes; fails with {@link InputRefused}. Writes keep their order.
     *
     * @return whether the input may be recorded: false if the terminal read lines without echo, as at a password prompt, at the time of
     *     the call or of a write to the kernel, or if its settings cannot be read
     */
    Future<Boolean> write(byte[] input);

    /**
     * Ends the program's input after everything written so far; fails with {@link InputRefused} if the program closes it before that. A
     * terminal has no such end: write ^D to it.
     */
    Future<Void> closeInput();

    void resize(TerminalSize size);

    TerminalSize size();

    /**
     * Checks whether the program, or one that it put into the foreground of its terminal, waits for typed input. Create it on the owner's
     * context and call it once, on a worker, since it reads /proc. False if unknown, and without a terminal.
     */
    BooleanSupplier inputWait();

    /** Sends a signal to the whole process group. */
    SignalResult signal(int signal);

    /** Kills the program and all processes that it started, as far as {@link #containment} reaches. */
    void killAll();

    /**
     * Whether the ended program certainly left no process alive. Takes some microseconds and may be called on any thread; false means only
     * that {@link #survivors} has to be called.
     */
    boolean leavesNoProcess();

    /** The processes that it started and that are alive, without itself, as far as {@link #containment} reaches. */
    List<Survivor> survivors();

    /**
     * Closes all descriptors; no output is delivered afterwards. A running program continues and its exit is still reported; one that was
     * never attached is killed. May be called more than once.
     */
    void close();
}
