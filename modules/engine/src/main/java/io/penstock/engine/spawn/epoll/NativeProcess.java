package io.penstock.engine.spawn.epoll;

import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoop;
import io.netty.channel.epoll.EpollIoHandle;
import io.penstock.engine.spawn.InputRefused;
import io.penstock.engine.spawn.ProcessIdentity;
import io.penstock.engine.spawn.RunningProcess;
import io.penstock.engine.spawn.SignalResult;
import io.penstock.engine.spawn.Survivor;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.engine.spawn.linux.BlockedReader;
import io.penstock.engine.spawn.linux.LinuxProcess;
import io.penstock.engine.spawn.linux.libc.Children;
import io.penstock.engine.spawn.linux.libc.Descriptors;
import io.penstock.engine.spawn.linux.libc.Terminal;
import io.penstock.frames.Channel;
import io.penstock.frames.Containment;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A program whose descriptors are on its owner's event loop, next to the sockets; it has no thread of its own. */
final class NativeProcess implements RunningProcess {
    private final LinuxProcess process;
    private final int terminal;
    private @Nullable Attached attached;
    private boolean closed;

    NativeProcess(LinuxProcess process) {
        this.process = process;
        this.terminal = process.outputs().getOrDefault(Channel.PTY, -1);
    }

    /** The state once the process is attached to an owner. */
    private final class Attached implements OutputReader.Sink {
        final EventLoop loop;
        final ContextInternal owner;
        final Listener listener;
        final List<OutputReader> readers = new ArrayList<>();
        final WatchedDescriptor exit;

        @Nullable
        InputWriter writer;

        Attached(IoEventLoop loop, ContextInternal owner, Listener listener) {
            this.loop = loop;
            this.owner = owner;
            this.listener = listener;
            this.exit = new WatchedDescriptor(process.exit(), (readable, writable, hungUp) -> exitIsReady());
        }

        void start(IoEventLoop watching) {
            process.outputs().forEach((channel, number) -> read(watching, channel, number));
            if (process.input() >= 0 && process.input() != terminal) {
                var descriptor = new WatchedDescriptor(process.input(), (readable, writable, hungUp) -> writable());
                writer = new InputWriter(descriptor, owner, false);
                descriptor.watch(watching, false);
            }
            exit.watch(watching, true);
        }

        private void read(IoEventLoop watching, Channel channel, int number) {
            boolean both = channel == Channel.PTY;
            OutputReader[] reader = new OutputReader[1];
            var descriptor = new WatchedDescriptor(number, (readable, writable, hungUp) -> {
                if (both && writable) {
                    writable();
                }
                if (readable) {
                    reader[0].ready(hungUp);
                }
            });
            reader[0] = new OutputReader(channel, descriptor, loop, this);
            readers.add(reader[0]);
            if (both) {
                writer = new InputWriter(descriptor, owner, true);
            }
            descriptor.watch(watching, true);
        }

        private void writable() {
            if (writer != null) {
                writer.writable();
            }
        }

        private void exitIsReady() {
            Children.reapEnded(process.group().leader()).ifPresent(ended -> {
                process.group().setLeaderReaped();
                exit.close();
                deliver(to -> to.exited(ended));
                releaseGroup();
            });
        }

        @Override
        public void output(Channel channel, ByteBuffer bytes) {
            if (!closed) {
                ContextInternal before = owner.beginDispatch();
                try {
                    listener.output(channel, bytes);
                } catch (RuntimeException | Error e) {
                    owner.reportException(e);
                } finally {
                    owner.endDispatch(before);
                }
            }
        }

        @Override
        public void closed(Channel channel) {
            if (channel == Channel.PTY && writer != null) {
                writer.close();
            }
            if (!closed) {
                deliver(to -> to.closed(channel));
            }
        }

        private void deliver(Consumer<Listener> event) {
            ContextInternal before = owner.beginDispatch();
            try {
                event.accept(listener);
            } catch (RuntimeException | Error e) {
                owner.reportException(e);
            } finally {
                owner.endDispatch(before);
            }
        }

        void close() {
            if (writer != null) {
                writer.close();
            }
            readers.forEach(OutputReader::close);
            releaseGroup();
        }

        /** The group is needed until the process is closed and its exit was seen. */
        private void releaseGroup() {
            if (closed && exit.isClosed()) {
                process.group().release();
            }
        }
    }

    @Override
    public ProcessIdentity identity() {
        return process.identity();
    }

    @Override
    public Containment containment() {
        return process.containment();
    }

    @Override
    public void attach(Context owner, Listener listener) {
        var context = (ContextInternal) owner;
        if (!(context.nettyEventLoop() instanceof IoEventLoop loop) || !loop.isCompatible(EpollIoHandle.class)) {
            throw new IllegalStateException("The native spawner needs event loops that use epoll: start Vert.x with"
                    + " setPreferNativeTransport(true) and Netty's epoll natives on the classpath.");
        }
        if (!loop.inEventLoop()) {
            throw new IllegalStateException("A process must be attached on its owner's context, not on "
                    + Thread.currentThread().getName());
        }
        if (attached != null || closed) {
            throw new IllegalStateException("The process " + identity() + " is attached or closed already.");
        }
        var starting = new Attached(loop, context, listener);
        try {
            starting.start(loop);
            attached = starting;
        } catch (RuntimeException e) {
            closed = true;
            starting.close();
            starting.exit.close();
            end();
            throw new IllegalStateException("The process " + identity() + " cannot be watched and was killed.", e);
        }
    }

    @Override
    public void pause() {
        attached().readers.forEach(OutputReader::pause);
    }

    @Override
    public void resume() {
        attached().readers.forEach(OutputReader::resume);
    }

    @Override
    public void drainNow() {
        attached().readers.forEach(OutputReader::drain);
    }

    @Override
    public Future<Boolean> write(byte[] input) {
        Attached here = attached();
        here.readers.forEach(OutputReader::hurry);
        return here.writer == null ? here.owner.failedFuture(noInput()) : here.writer.write(input);
    }

    @Override
    public Future<Void> closeInput() {
        Attached here = attached();
        return here.writer == null ? here.owner.failedFuture(noInput()) : here.writer.closeInput();
    }

    @Override
    public void resize(TerminalSize size) {
        Terminal.resize(openTerminal(), size);
    }

    @Override
    public TerminalSize size() {
        return Terminal.size(openTerminal());
    }

    @Override
    public BooleanSupplier inputWait() {
        return terminal < 0 || closed
                ? () -> false
                : new BlockedReader(process.group().leader(), Terminal.hidesLines(terminal));
    }

    @Override
    public SignalResult signal(int signal) {
        return process.group().signal(signal);
    }

    @Override
    public void killAll() {
        process.group().killAll();
    }

    @Override
    public boolean leavesNoProcess() {
        return process.group().leavesNoProcess();
    }

    @Override
    public List<Survivor> survivors() {
        return process.group().survivors();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        Attached here = attached;
        if (here == null) {
            closed = true;
            abandon();
        } else {
            attached();
            closed = true;
            here.close();
        }
    }

    /** The exit could not be reported, so the process is killed. This is rare and the kernel may take long, so it has a thread. */
    private void abandon() {
        Set<Integer> descriptors = new HashSet<>(process.outputs().values());
        descriptors.add(process.exit());
        if (process.input() >= 0) {
            descriptors.add(process.input());
        }
        descriptors.forEach(Descriptors::close);
        end();
    }

    private void end() {
        process.group().killAll();
        Thread.ofPlatform().daemon().name("reap-" + process.group().leader()).start(() -> {
            Children.reap(process.group().leader());
            process.group().setLeaderReaped();
            process.group().release();
        });
    }

    private Attached attached() {
        Attached here = attached;
        if (here == null) {
            throw new IllegalStateException("The process " + identity() + " is not attached to a context yet.");
        }
        if (!here.loop.inEventLoop()) {
            throw new IllegalStateException(
                    "The process " + identity() + " must be used on its owner's context, not on "
                            + Thread.currentThread().getName());
        }
        return here;
    }

    private int openTerminal() {
        if (terminal < 0 || closed) {
            throw new IllegalStateException(
                    "The process " + identity() + (closed ? " is closed." : " has no terminal."));
        }
        return terminal;
    }

    private static InputRefused noInput() {
        return new InputRefused(InputRefused.Reason.NO_INPUT, "The program was started without an input.");
    }
}
