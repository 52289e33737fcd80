package io.penstock.engine.spawn.pty4j;

import com.pty4j.PtyProcess;
import com.pty4j.WinSize;
import com.pty4j.unix.UnixPtyProcess;
import io.penstock.engine.spawn.InputRefused;
import io.penstock.engine.spawn.ProcessExit;
import io.penstock.engine.spawn.ProcessIdentity;
import io.penstock.engine.spawn.RunningProcess;
import io.penstock.engine.spawn.SignalAnswer;
import io.penstock.engine.spawn.SpawnRequest;
import io.penstock.engine.spawn.Survivor;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.engine.spawn.linux.BlockedReader;
import io.penstock.engine.spawn.linux.Platform;
import io.penstock.engine.spawn.linux.Terminal;
import io.penstock.frames.Channel;
import io.penstock.frames.Containment;
import io.penstock.frames.ExecutionMode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A program read by threads: one for each output, one for its input, one that waits for its end. */
final class ThreadedProcess implements RunningProcess {
    private static final int SIGKILL = 9;

    /** Elsewhere the settings of a terminal lie in another order. */
    private static final boolean SETTINGS_ARE_KNOWN = Platform.whyNot().isEmpty();

    private final Process process;
    private final SpawnRequest request;
    private final List<OutputThread> outputs = new ArrayList<>();
    private @Nullable InputThread input;
    private @Nullable Owner owner;
    private int running;
    private boolean closed;

    ThreadedProcess(Process process, SpawnRequest request) {
        this.process = process;
        this.request = request;
    }

    /** When it started is not known in the same clock as elsewhere, so it says 0. */
    @Override
    public ProcessIdentity identity() {
        return new ProcessIdentity(process.pid(), 0, "");
    }

    @Override
    public Containment containment() {
        return Containment.DESCENDANTS;
    }

    @Override
    public void attach(Context context, Listener listener) {
        if (owner != null || closed) {
            throw new IllegalStateException("The process " + process.pid() + " is attached or closed already.");
        }
        var reporting = new Owner(context);
        owner = reporting;
        if (request.mode() == ExecutionMode.PTY) {
            outputs.add(new OutputThread(Channel.PTY, process.getInputStream(), reporting, listener, this::partEnded));
        } else {
            outputs.add(
                    new OutputThread(Channel.STDOUT, process.getInputStream(), reporting, listener, this::partEnded));
            outputs.add(
                    new OutputThread(Channel.STDERR, process.getErrorStream(), reporting, listener, this::partEnded));
        }
        if (request.input()) {
            input = new InputThread(process.getOutputStream(), this::shows, reporting, process.pid());
        }
        running = outputs.size() + 1;
        outputs.forEach(output -> output.start(process.pid()));
        Thread.ofPlatform().daemon().name("exit-" + process.pid()).start(() -> awaitExit(reporting, listener));
    }

    @Override
    public void pause() {
        outputs.forEach(OutputThread::pause);
    }

    @Override
    public void resume() {
        outputs.forEach(OutputThread::resume);
    }

    @Override
    public void drainNow() {
        outputs.forEach(OutputThread::drain);
    }

    @Override
    public Future<Boolean> write(byte[] bytes) {
        return input == null ? Future.failedFuture(noInput()) : input.write(bytes);
    }

    /** Where that cannot be asked it is not, for it may be a password. */
    private boolean shows() {
        return SETTINGS_ARE_KNOWN
                && process instanceof UnixPtyProcess terminal
                && Terminal.echoes(terminal.getPty().getMasterFD());
    }

    @Override
    public Future<Void> closeInput() {
        if (request.mode() == ExecutionMode.PTY) {
            return Future.failedFuture(new InputRefused(
                    InputRefused.Reason.NONE,
                    "A terminal's input has no end of its own. Write ^D (0x04) at the start of a line."));
        }
        return input == null ? Future.failedFuture(noInput()) : input.closeInput();
    }

    @Override
    public void resize(TerminalSize size) {
        terminal().setWinSize(new WinSize(size.cols(), size.rows()));
    }

    @Override
    public TerminalSize size() {
        try {
            WinSize size = terminal().getWinSize();
            return new TerminalSize(size.getRows(), size.getColumns());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the terminal hides lines is not known here, so of programs with another user's rights nothing is. */
    @Override
    public BooleanSupplier inputWait() {
        return request.mode() == ExecutionMode.PTY ? new BlockedReader(process.pid(), false) : () -> false;
    }

    /** On a terminal the program leads its group; else it is in ours, and is reached with its children one by one. */
    @Override
    public SignalAnswer signal(int signal) {
        if (!process.isAlive()) {
            return SignalAnswer.NOBODY_THERE;
        }
        String targets = request.mode() == ExecutionMode.PTY
                ? "-" + process.pid()
                : String.join(
                        " ",
                        Stream.concat(Stream.of(process.pid()), descendants().map(ProcessHandle::pid))
                                .map(Object::toString)
                                .toList());
        try {
            // Every shell has it built in, though not all know -N before a --, and Java sends no other signals than
            // TERM and KILL.
            int answer = new ProcessBuilder("/bin/sh", "-c", "kill -s " + signal + " -- " + targets)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            return answer == 0 ? SignalAnswer.DELIVERED : SignalAnswer.NOBODY_THERE;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while a signal was sent", e);
        }
    }

    @Override
    public void killAll() {
        List<ProcessHandle> children = descendants().toList();
        if (request.mode() == ExecutionMode.PTY) {
            signal(SIGKILL);
        }
        // Not by Process, which would close the streams, and wait for a thread that is blocked in a write.
        ProcessHandle.of(process.pid()).ifPresent(ProcessHandle::destroyForcibly);
        children.forEach(ProcessHandle::destroyForcibly);
    }

    @Override
    public boolean leavesNothing() {
        return false;
    }

    @Override
    public List<Survivor> survivors() {
        return descendants()
                .map(child -> new Survivor(
                        child.pid(), child.info().command().orElse("").replaceAll(".*/", "")))
                .toList();
    }

    private Stream<ProcessHandle> descendants() {
        return ProcessHandle.of(process.pid()).stream().flatMap(ProcessHandle::descendants);
    }

    /** The streams are closed when both all output and the program have ended, for pty4j's close can race its read. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (owner == null) {
            killAll();
            Thread.ofPlatform().daemon().name("reap-" + process.pid()).start(this::reapAndClose);
            return;
        }
        if (input != null) {
            input.close(request.mode() == ExecutionMode.PIPES);
        }
        outputs.forEach(OutputThread::mute);
        closeStreamsAtTheEnd();
    }

    private void awaitExit(Owner reporting, Listener listener) {
        int code;
        try {
            code = process.waitFor();
        } catch (InterruptedException e) {
            return; // the JVM ends
        }
        reporting.tell(() -> {
            // A death by signal n cannot be told from an exit with 128 + n here.
            listener.exited(new ProcessExit.Exited(code & 0xff));
            partEnded();
        });
    }

    private void partEnded() {
        running--;
        closeStreamsAtTheEnd();
    }

    private void closeStreamsAtTheEnd() {
        if (closed && running == 0) {
            closeStreams();
        }
    }

    private void reapAndClose() {
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            return; // the JVM ends
        }
        closeStreams();
    }

    private void closeStreams() {
        for (AutoCloseable stream :
                List.of(process.getOutputStream(), process.getInputStream(), process.getErrorStream())) {
            try {
                stream.close();
            } catch (Exception e) {
                // Nobody reads or writes it any more, so nothing is lost.
            }
        }
    }

    private PtyProcess terminal() {
        if (process instanceof PtyProcess pty) {
            return pty;
        }
        throw new IllegalStateException("The process " + process.pid() + " has no terminal.");
    }

    private static InputRefused noInput() {
        return new InputRefused(InputRefused.Reason.NONE, "The program was started without an input.");
    }
}
