package io.penstock.bench.task;

import io.penstock.engine.spawn.SpawnFailure;
import io.penstock.engine.spawn.SpawnRequest;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.engine.spawn.linux.LinuxProcess;
import io.penstock.engine.spawn.linux.libc.Descriptors;
import io.penstock.engine.spawn.linux.libc.Errno;
import io.penstock.frames.Channel;
import io.penstock.frames.Signal;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The reference: a piece is written to a pipe or terminal, read from it, and written to a file. */
final class BareCopy implements AutoCloseable {

    private final LinuxProcess program;
    private final int number;
    private final FileChannel output;
    private final Path path;
    private final FileChannel file;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment memory;
    private final ByteBuffer read;
    private final ByteBuffer piece;
    private long offset;

    private BareCopy(LinuxProcess program, int number, FileChannel output, Path path, int bytes) throws IOException {
        this.program = program;
        this.number = number;
        this.output = output;
        this.path = path;
        this.file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        this.memory = arena.allocate(bytes);
        this.read = memory.asByteBuffer();
        this.piece = ByteBuffer.allocateDirect(bytes);
    }

    static BareCopy begin(Path folder, String mode, int bytes) throws IOException, SpawnFailure {
        List<String> command = List.of("/bin/bash", "-c", Sleeper.COMMAND);
        Map<String, String> environment = Map.of("PATH", "/usr/bin:/bin");
        var request = mode.equals("pty")
                ? SpawnRequest.terminal(command, environment, folder, TerminalSize.DEFAULT)
                : SpawnRequest.pipes(command, environment, folder);
        LinuxProcess program = LinuxProcess.start(request, Optional.empty(), Optional.empty());
        @Nullable Integer terminal = program.outputs().get(Channel.PTY);
        int number = terminal != null ? terminal : program.outputs().getOrDefault(Channel.STDOUT, -1);
        long pid = said(number);
        return new BareCopy(program, number, Sleeper.output(pid), folder.resolve("copy"), bytes);
    }

    private static long said(int number) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(100);
            var text = new StringBuilder();
            while (text.indexOf(".") < 0) {
                long answer = Descriptors.read(number, memory, 100);
                for (int i = 0; i < answer; i++) {
                    text.append((char) memory.get(java.lang.foreign.ValueLayout.JAVA_BYTE, i));
                }
            }
            long pid = Long.parseLong(text.substring(0, text.indexOf(".")).trim());
            // The end of the line may arrive later.
            while (text.indexOf("\n") < 0) {
                if (Descriptors.read(number, memory, 1) > 0) {
                    text.append((char) memory.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 0));
                }
            }
            return pid;
        }
    }

    /** Copies one piece. */
    void run() throws IOException {
        Sleeper.writeAll(output, piece);
        int got = 0;
        while (got < piece.capacity()) {
            // The kernel delivers a terminal's input with a delay.
            long answer = Descriptors.read(number, memory.asSlice(got), piece.capacity() - got);
            if (answer > 0) {
                got += (int) answer;
            } else if (answer != -Errno.EAGAIN && answer != -Errno.EINTR) {
                throw new IOException("the output ended: " + answer);
            }
        }
        read.clear();
        while (read.hasRemaining()) {
            offset += file.write(read, offset);
        }
    }

    @Override
    public void close() throws IOException {
        output.close();
        file.close();
        Files.delete(path);
        program.group().signal(Signal.KILL.number());
        program.outputs().values().forEach(Descriptors::close);
        Descriptors.close(program.exit());
        arena.close();
    }
}
