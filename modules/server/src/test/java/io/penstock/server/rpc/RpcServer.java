package io.penstock.server.rpc;

import io.penstock.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A server with a port for hosts, and the sample agent as its agent program. */
public final class RpcServer implements AutoCloseable {

    private static final String PLACE = "Hosts of agent tasks connect to ";

    private final String jvmOptions;
    private final Path folder;
    private ServerProcess process;

    RpcServer(String... options) {
        this(folder -> {}, options);
    }

    /** @param prepare called with the folder of the data and the workspace before the start */
    RpcServer(Consumer<Path> prepare, String... options) {
        this("", prepare, options);
    }

    /** It can be stopped at each of its steps. */
    static RpcServer withSteps(String... options) {
        return new RpcServer(ServerSteps.JVM_OPTION, folder -> {}, options);
    }

    private RpcServer(String jvmOptions, Consumer<Path> prepare, String... options) {
        this.jvmOptions = jvmOptions;
        this.folder = ServerProcess.folder();
        try {
            Files.createDirectories(data());
            Files.createDirectories(workspace());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        prepare.accept(folder);
        process = start(options);
    }

    private ServerProcess start(String... options) {
        var all = new ArrayList<>(List.of(
                "--port", "0", "--rpc-port", "0", "--workspace", workspace().toString()));
        all.addAll(List.of(options));
        return ServerProcess.readyWithJvmOptions(jvmOptions, data(), all.toArray(String[]::new));
    }

    /** Of a server that has them. */
    ServerSteps steps() {
        return new ServerSteps(process.saidSoFar());
    }

    Path data() {
        return folder.resolve("data");
    }

    Path workspace() {
        return folder.resolve("workspace");
    }

    ServerProcess process() {
        return process;
    }

    /** Where hosts connect to. */
    String address() {
        return process.saidSoFar().stream()
                .filter(line -> line.startsWith(PLACE))
                .map(line -> line.substring(PLACE.length(), line.length() - 1))
                .findFirst()
                .orElseThrow();
    }

    Host host() {
        return Host.listening(address());
    }

    /** As a power cut of this process. */
    void kill() {
        process.close();
    }

    void restart(String... options) {
        process = start(options);
    }

    @Override
    public void close() {
        process.close();
        ServerProcess.delete(folder);
    }
}
