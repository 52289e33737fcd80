package io.penstock.bench.peer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;

/** {@code bench/peers/node}: the server that a user would write in an afternoon. */
public final class NodeServer implements AutoCloseable {

    private static final Path SCRIPT = Path.of("peers", "node", "server.mjs");
    private static final String READY = "ready at ";

    private final Process process;
    private final URI address;

    private NodeServer(Process process, URI address) {
        this.process = process;
        this.address = address;
    }

    /** @param files the folder whose files it serves */
    public static NodeServer start(Path files) throws IOException {
        Process process = new ProcessBuilder("node", script().toString(), "0", files.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var said = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = said.readLine();
        if (line == null || !line.startsWith(READY)) {
            process.destroyForcibly();
            throw new IOException("the server of node did not start; it said " + line);
        }
        return new NodeServer(Together.with(process), URI.create(line.substring(READY.length())));
    }

    /** It lies in the same folder as what this class was built into. */
    private static Path script() throws IOException {
        try {
            Path built = Path.of(NodeServer.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return Stream.iterate(built, Objects::nonNull, Path::getParent)
                    .map(folder -> folder.resolve(SCRIPT))
                    .filter(Files::exists)
                    .findFirst()
                    .orElseThrow(() -> new IOException("there is no " + SCRIPT + " above " + built));
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    public URI address() {
        return address;
    }

    /** Of node itself, without the programs that it has started. */
    public long cpuNanos() {
        return ProcessTime.of(process.toHandle());
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
