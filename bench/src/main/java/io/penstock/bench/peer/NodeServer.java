package io.penstock.bench.peer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** {@code bench/peers/node}: the servers that a user would write in an afternoon. */
public final class NodeServer implements AutoCloseable {

    private static final Path FOLDER = Path.of("peers", "node");
    private static final String READY = "ready at ";

    private final Process process;
    private final URI address;

    private NodeServer(Process process, URI address) {
        this.process = process;
        this.address = address;
    }

    /** @param files the folder whose files it serves */
    public static NodeServer start(Path files) throws IOException {
        return start(files, "server.mjs");
    }

    /** @param script one of the folder */
    public static NodeServer start(Path files, String script) throws IOException {
        Process process = new ProcessBuilder(
                        "node", Peers.file(FOLDER.resolve(script)).toString(), "0", files.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var said = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = said.readLine();
        if (line == null || !line.startsWith(READY)) {
            process.destroyForcibly();
            throw new IOException("the node server did not start; its output: " + line);
        }
        return new NodeServer(ChildProcesses.with(process), URI.create(line.substring(READY.length())));
    }

    public URI address() {
        return address;
    }

    /** Of node itself, without the programs that it started. */
    public long cpuNanos() {
        return ProcessTime.of(process.toHandle());
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
