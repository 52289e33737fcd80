package io.penstock.bench.faults;

import io.penstock.bench.soak.SmallDisk;
import io.penstock.bench.soak.SoakFailure;
import io.penstock.bench.soak.SoakedServer;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The server on its small disk, restarted after each fault that ends it. Used by one thread, except its address. */
final class RestartedServer implements AutoCloseable {

    /** Few enough that callers use them up in seconds. */
    private static final int DESCRIPTORS = 1024;

    private static final int CONNECTIONS = 1100;
    private static final int LONGEST_FAULT_MS = 6000;

    private final Path folder;
    private final SmallDisk disk;
    private @Nullable SoakedServer server;
    private volatile @Nullable URI address;
    private long slowestStartMs;

    RestartedServer(Path folder, SmallDisk disk) {
        this.folder = folder;
        this.disk = disk;
    }

    /** Null while the server is down. */
    @Nullable
    URI address() {
        return address;
    }

    long slowestStartMs() {
        return slowestStartMs;
    }

    void start() throws IOException {
        SoakedServer started = SoakedServer.start(
                folder,
                List.of("prlimit", "--nofile=" + DESCRIPTORS + ":" + DESCRIPTORS),
                List.of("--max-running", "200"));
        slowestStartMs = Math.max(slowestStartMs, started.readyMs());
        server = started;
        address = started.address();
    }

    /** Injects the fault, lets it last a while, and removes it; afterwards the server runs. */
    void suffer(Fault fault, SplittableRandom random) throws IOException, InterruptedException {
        SoakedServer now = server;
        if (now == null) {
            throw new IllegalStateException("the server is not started");
        }
        long ms = 500L + random.nextInt(LONGEST_FAULT_MS);
        switch (fault) {
            case KILL_SERVER, STOP_SERVER -> {
                address = null;
                now.end(fault == Fault.KILL_SERVER);
                now.close();
                start();
            }
            case KILL_POSTGRES -> now.postgres().ifPresent(ProcessHandle::destroyForcibly);
            case PAUSE_POSTGRES -> pausePostgres(now, ms);
            case FULL_DISK -> {
                disk.fill();
                try {
                    TimeUnit.MILLISECONDS.sleep(ms);
                } finally {
                    disk.free();
                }
            }
            case FEW_DESCRIPTORS -> useDescriptors(now.address(), ms);
        }
    }

    private static void pausePostgres(SoakedServer now, long ms) throws IOException, InterruptedException {
        ProcessHandle postgres = now.postgres().orElse(null);
        if (postgres == null) {
            return;
        }
        List<ProcessHandle> all = new ArrayList<>(postgres.descendants().toList());
        all.add(postgres);
        signal("-STOP", all);
        try {
            TimeUnit.MILLISECONDS.sleep(ms);
        } finally {
            signal("-CONT", all);
        }
    }

    private static void signal(String signal, List<ProcessHandle> processes) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("kill", signal));
        processes.forEach(process -> command.add(Long.toString(process.pid())));
        // Some may have ended already.
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    private static void useDescriptors(URI address, long ms) throws InterruptedException {
        var open = new ArrayList<Socket>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                open.add(new Socket(address.getHost(), address.getPort()));
            }
        } catch (IOException e) {
            // The server accepts no more, as it should.
        }
        TimeUnit.MILLISECONDS.sleep(ms);
        for (Socket socket : open) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new SoakFailure("a socket cannot be closed", e);
            }
        }
    }

    @Override
    public void close() {
        SoakedServer now = server;
        address = null;
        if (now != null) {
            now.close();
        }
    }
}
