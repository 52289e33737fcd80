package io.penstock.engine.spawn.linux;

import io.penstock.engine.spawn.ProcessIdentity;
import io.penstock.engine.spawn.ProgramFile;
import io.penstock.engine.spawn.SpawnFailure;
import io.penstock.engine.spawn.SpawnFailure.Reason;
import io.penstock.engine.spawn.SpawnRequest;
import io.penstock.engine.spawn.linux.libc.CallFailed;
import io.penstock.engine.spawn.linux.libc.Children;
import io.penstock.engine.spawn.linux.libc.DescriptorLimit;
import io.penstock.engine.spawn.linux.libc.Descriptors;
import io.penstock.engine.spawn.linux.libc.Errno;
import io.penstock.engine.spawn.linux.libc.PosixSpawn;
import io.penstock.engine.spawn.linux.libc.Stdio;
import io.penstock.engine.spawn.linux.libc.Terminal;
import io.penstock.frames.Channel;
import io.penstock.frames.Containment;
import io.penstock.frames.ExecutionMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A started child, and this server's descriptors for it.
 *
 * @param exit a descriptor that becomes readable when the child has ended
 * @param input -1 if it has none; for a terminal the same as its output
 */
public record LinuxProcess(
        ProcessIdentity identity, ProcessGroup group, int exit, int input, Map<Channel, Integer> outputs) {
    /** The most that an unprivileged user gets: the child blocks later, and each read returns more. */
    private static final int PIPE_BYTES = 1 << 20;

    /** Read once, at the start of the first child. */
    private static final String BOOT = ProcessTable.boot();

    static {
        // Without a free descriptor the JVM cannot load classes, so the classes for reporting that are loaded here.
        var message = refused(new CallFailed("pipe", Errno.EMFILE), "").getMessage();
        Objects.requireNonNull(message);
    }

    /** Starts a program; if that fails, leaves nothing of it behind. */
    public static LinuxProcess start(SpawnRequest request, Optional<Cgroups> cgroups, Optional<Subreaper> subreaper)
            throws SpawnFailure {
        Path program = ProgramFile.of(request);
        List<Integer> ours = new ArrayList<>();
        List<Integer> childs = new ArrayList<>();
        Optional<Cgroup> cgroup = Optional.empty();
        boolean started = false;
        try (var spawn = new PosixSpawn()) {
            Map<Channel, Integer> outputs;
            Stdio stdio;
            int input = -1;
            if (request.mode() == ExecutionMode.PTY) {
                Terminal.Opened terminal = Terminal.open(request.size());
                ours.add(terminal.master());
                input = terminal.master();
                outputs = Map.of(Channel.PTY, terminal.master());
                stdio = new Stdio.OfTerminal(terminal.name());
            } else {
                int childInput = -1;
                if (request.input()) {
                    Descriptors.Pipe pipe = pipe(ours, childs, false);
                    childInput = pipe.readEnd();
                    input = pipe.writeEnd();
                }
                Descriptors.Pipe out = pipe(ours, childs, true);
                Descriptors.Pipe err = pipe(ours, childs, true);
                outputs = Map.of(Channel.STDOUT, out.readEnd(), Channel.STDERR, err.readEnd());
                stdio = new Stdio.OfPipes(childInput, out.writeEnd(), err.writeEnd());
            }
            cgroup = cgroups.flatMap(Cgroups::create);
            int pid = begin(spawn, program, request, stdio, cgroup);
            ProcessGroup group = new ProcessGroup(
                    pid, cgroup, subreaper, request.environment().get(SpawnRequest.MARK));
            int exit = watch(pid, group);
            ours.add(exit);
            started = true;
            return new LinuxProcess(identityOf(pid), group, exit, input, outputs);
        } catch (CallFailed e) {
            throw refused(e, request.command().getFirst());
        } finally {
            childs.forEach(Descriptors::close);
            if (!started) {
                ours.forEach(Descriptors::close);
                cgroup.ifPresent(Cgroup::remove);
            }
        }
    }

    public Containment containment() {
        return group.containment();
    }

    private static Descriptors.Pipe pipe(List<Integer> ours, List<Integer> childs, boolean fromChild)
            throws CallFailed {
        Descriptors.Pipe pipe = Descriptors.pipe();
        int our = fromChild ? pipe.readEnd() : pipe.writeEnd();
        ours.add(our);
        childs.add(fromChild ? pipe.writeEnd() : pipe.readEnd());
        Descriptors.neverBlock(our);
        if (fromChild) {
            Descriptors.enlarge(our, PIPE_BYTES);
        }
        return pipe;
    }

    private static int begin(PosixSpawn spawn, Path program, SpawnRequest request, Stdio stdio, Optional<Cgroup> cgroup)
            throws CallFailed, SpawnFailure {
        Cgroup.Start start =
                () -> spawn.start(program.toString(), request.command(), request.environment(), request.cwd(), stdio);
        int pid = cgroup.isPresent() ? cgroup.get().start(spawn, start) : start.start();
        if (pid < 0) {
            throw notExecuted(-pid, program, request);
        }
        DescriptorLimit.restoreOriginal(pid);
        Subreaper.started(pid);
        return pid;
    }

    /** A child that cannot be watched would become a zombie, so it is killed at once. */
    private static int watch(int pid, ProcessGroup group) throws CallFailed {
        long exit = Children.watch(pid);
        if (exit < 0) {
            group.killAll();
            Children.reap(pid);
            group.setLeaderReaped();
        }
        return (int) CallFailed.check("pidfd_open", exit);
    }

    private static ProcessIdentity identityOf(int pid) {
        // The child is not reaped yet, so its row exists, even if it is a zombie.
        long startTicks =
                ProcessTable.row(pid).map(ProcessTable.Row::startTicks).orElse(0L);
        return new ProcessIdentity(pid, startTicks, BOOT);
    }

    private static SpawnFailure notExecuted(int errno, Path program, SpawnRequest request) {
        return switch (errno) {
            case Errno.E2BIG -> {
                long bytes =
                        request.command().stream().mapToLong(String::length).sum()
                                + request.environment().entrySet().stream()
                                        .mapToLong(variable -> variable.getKey().length()
                                                + variable.getValue().length()
                                                + 2L)
                                        .sum();
                yield ProgramFile.cannotExecute(
                        Reason.TOO_LONG,
                        program,
                        "its arguments and environment have " + bytes
                                + " characters, more than the kernel accepts (128 KiB each, and usually 2 MiB together)");
            }
            case Errno.EAGAIN, Errno.EMFILE, Errno.ENFILE, Errno.ENOMEM ->
                ProgramFile.cannotExecute(reasonOf(errno), program, Errno.words(errno));
            default ->
                ProgramFile.whyNot(program, request.cwd())
                        .orElseGet(() -> ProgramFile.cannotExecute(reasonOf(errno), program, Errno.words(errno)));
        };
    }

    private static SpawnFailure refused(CallFailed failed, String command) {
        boolean terminal = failed.call().equals("posix_openpt")
                && (failed.errno() == Errno.ENOSPC || failed.errno() == Errno.EAGAIN);
        return new SpawnFailure(
                terminal ? Reason.OUT_OF_TERMINALS : reasonOf(failed.errno()),
                "cannot start " + command + ": " + failed.getMessage());
    }

    private static Reason reasonOf(int errno) {
        return switch (errno) {
            case Errno.ENOENT -> Reason.INTERPRETER_NOT_FOUND; // the program's own file exists
            case Errno.EACCES, Errno.EPERM, Errno.ETXTBSY -> Reason.NOT_EXECUTABLE;
            case Errno.ENOEXEC -> Reason.UNKNOWN_FORMAT;
            case Errno.E2BIG -> Reason.TOO_LONG;
            case Errno.EMFILE, Errno.ENFILE -> Reason.OUT_OF_DESCRIPTORS;
            case Errno.EAGAIN -> Reason.OUT_OF_PROCESSES;
            case Errno.ENOMEM -> Reason.OUT_OF_MEMORY;
            default -> Reason.OTHER;
        };
    }
}
