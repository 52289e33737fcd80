package io.penstock.engine.spawn;

import io.penstock.frames.Channel;
import io.penstock.frames.Containment;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A program that was started. From {@link #attach} on, everything happens on the owner's context: its methods are called there
 * and its listener is told there. Only {@link #identity}, {@link #containment}, {@link #survivors} and {@link #killAll} may be
 * called from any thread, and should be called on a worker, for they may read all of /proc.
 */
public interface RunningProcess {
    /** Told what the program does. Every output, in its order, before the channel's {@code closed}; the exit at any time. */
    interface Listener {
        /** @param bytes valid only during the call, for they are overwritten by the next read */
        void output(Channel channel, ByteBuffer bytes);

        /** The end of this output: nobody holds it open any more. */
        void closed(Channel channel);

        /** The program itself has ended. What it started may live on and write. */
        void exited(ProcessExit exit);
    }

    ProcessIdentity identity();

    /** How surely all that it starts can be found. */
    Containment containment();

    /** Begins to read and to wait for the exit. Called once, on the owner's context. */
    void attach(Context owner, Listener listener);

    /** From now on nothing is read, so the program blocks when its pipe is full. Output that was begun is still told. */
    void pause();

    void resume();

    /** Reads what is there already, also while paused, so that what comes next comes after it. Bounded for a program that goes on writing. */
    void drainNow();

    /**
     * Succeeds when the kernel has all of the bytes; fails with {@link InputRefused}. Writes keep their order.
     *
     * @return whether a terminal shows what is typed, which is off while a password is asked for: when this was called, and each
     *     time that the kernel took some of it, which for a program that is slow to read is later
     */
    Future<Boolean> write(byte[] input);

    /** The program reads the end of its input after all that was written. A terminal has no such end: write ^D to it. */
    Future<Void> closeInput();

    void resize(TerminalSize size);

    TerminalSize size();

    /**
     * A look at whether the program, or one that it has put into the foreground of its terminal, waits for what is typed there. Made on
     * the owner's context, taken once, on a worker, since it reads /proc. False where that cannot be known, and without a terminal.
     */
    BooleanSupplier inputWait();

    /** Sends a signal to the whole process group. */
    SignalAnswer signal(int signal);

    /** Kills the program and all that it started, as far as {@link #containment} reaches. */
    void killAll();

    /**
     * Whether it is sure, once it has ended, that nothing of it is alive. Takes some microseconds, so that it may be asked anywhere;
     * false says only that the others have to be asked.
     */
    boolean leavesNothing();

    /** What it started and is still alive, without itself, as far as {@link #containment} reaches. */
    List<Survivor> survivors();

    /**
     * Lets go of all descriptors; no output is told after it. A program that still runs goes on and its exit is still told; one
     * that was never attached is killed. May be called more than once.
     */
    void close();
}
