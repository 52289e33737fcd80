package io.penstock.engine.spawn.pty4j;

import com.pty4j.PtyProcess;
import com.pty4j.WinSize;
import com.pty4j.unix.UnixPtyProcess;
import io.penstock.engine.spawn.InputRefused;
import io.penstock.engine.spawn.ProcessExit;
import io.penstock.engine.spawn.ProcessIdentity;
import io.penstock.engine.spawn.RunningProcess;
import io.penstock.engine.spawn.SignalResult;
import io.penstock.engine.spawn.SpawnRequest;
import io.penstock.engine.spawn.Survivor;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.engine.spawn.linux.BlockedReader;
import io.penstock.engine.spawn.linux.libc.Platform;
import io.penstock.engine.spawn.linux.libc.Terminal;
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

/** A program with threads: one for each output, one for its input, one that waits for its end. */
final class ThreadedProcess implements RunningProcess {
    private static final int SIGKILL = 9;

    /** On other platforms the settings of a terminal have another layout. */
    private static final boolean SETTINGS_KNOWN = Platform.whyNot().isEmpty();

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

    /** The start time in the kernel's clock is unknown here, so it is 0. */
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
            outputs.add(
                    new OutputThread(Channel.PTY, process.getInputStream(), reporting, listener, this::onPartEnded));
        } else {
            outputs.add(
                    new OutputThread(Channel.STDOUT, process.getInputStream(), reporting, listener, this::onPartEnded));
            outputs.add(
                    new OutputThread(Channel.STDERR, process.getErrorStream(), reporting, listener, this::onPartEnded));
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

    /** False if the settings cannot be read, since the input may be a password. */
    private boolean shows() {
        return SETTINGS_KNOWN
                && process instanceof UnixPtyProcess terminal
                && Terminal.showsInput(terminal.getPty().getMasterFD());
    }

    @Override
    public Future<Void> closeInput() {
        if (request.mode() == ExecutionMode.PTY) {
            return Future.failedFuture(new InputRefused(
                    InputRefused.Reason.NO_INPUT,
                    "A terminal's input cannot be closed. Write ^D (0x04) at the start of a line."));
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

    /** Whether the terminal hides lines is unknown here, so programs with another user's rights never count as waiting. */
    @Override
    public BooleanSupplier inputWait() {
        return request.mode() == ExecutionMode.PTY ? new BlockedReader(process.pid(), false) : () -> false;
    }

    /** On a terminal the program leads its group; otherwise it is in the server's, so it and its children get the signal one by one. */
    @Override
    public SignalResult signal(int signal) {
        if (!process.isAlive()) {
            return SignalResult.NO_PROCESS;
        }
        String targets = request.mode() == ExecutionMode.PTY
                ? "-" + process.pid()
                : String.join(
                        " ",
                        Stream.concat(Stream.of(process.pid()), descendants().map(ProcessHandle::pid))
                                .map(Object::toString)
                                .toList());
        try {
            // Java sends only TERM and KILL. Every shell has kill built in, but not every one accepts -N before --.
            int answer = new ProcessBuilder("/bin/sh", "-c", "kill -s " + signal + " -- " + targets)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            return answer == 0 ? SignalResult.DELIVERED : SignalResult.NO_PROCESS;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while sending a signal", e);
        }
    }

    @Override
    public void killAll() {
        List<ProcessHandle> children = descendants().toList();
        if (request.mode() == ExecutionMode.PTY) {
            signal(SIGKILL);
        }
        // Not with Process, which would close the streams and so wait for a thread that is blocked in a write.
        ProcessHandle.of(process.pid()).ifPresent(ProcessHandle::destroyForcibly);
        children.forEach(ProcessHandle::destroyForcibly);
    }

    @Override
    public boolean leavesNoProcess() {
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

    /** Closes the streams once all outputs and the program have ended, because pty4j's close can race its read. */
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
        closeStreamsIfEnded();
    }

    private void awaitExit(Owner reporting, Listener listener) {
        int code;
        try {
            code = process.waitFor();
        } catch (InterruptedException e) {
            return; // the JVM ends
        }
        reporting.dispatch(() -> {
            // A death by signal n cannot be distinguished from an exit with 128 + n here.
            listener.exited(new ProcessExit.Exited(code & 0xff));
            onPartEnded();
        });
    }

    private void onPartEnded() {
        running--;
        closeStreamsIfEnded();
    }

    private void closeStreamsIfEnded() {
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
                // The stream is no longer used, so nothing is lost.
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
        return new InputRefused(InputRefused.Reason.NO_INPUT, "The program was started without an input.");
    }
}
