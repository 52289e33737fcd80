package io.penstock.bench.peer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * nginx configured to serve one file as fast as possible: with sendfile, and without waiting for full packets, which
 * delays the ends of short answers.
 */
public final class Nginx implements AutoCloseable {

    /** Where distributions install it, often outside the path of ordinary users. */
    private static final List<Path> PLACES =
            List.of(Path.of("/usr/sbin/nginx"), Path.of("/usr/bin/nginx"), Path.of("/usr/local/bin/nginx"));

    private static final long READY_WITHIN_SECONDS = 10;

    private final Process process;
    private final URI address;

    private Nginx(Process process, URI address) {
        this.process = process;
        this.address = address;
    }

    public static Optional<Path> program() {
        return PLACES.stream().filter(Files::isExecutable).findFirst();
    }

    /** @param folder for its configuration and output */
    public static Nginx start(Path program, Path folder, Path file) throws IOException, InterruptedException {
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        // As root, its workers would run under another account, which may not read the file.
        String user = "root".equals(System.getProperty("user.name")) ? "user root;" : "";
        Path configuration = folder.resolve("nginx.conf");
        Files.writeString(configuration, """
                %s
                daemon off;
                worker_processes 2;
                pid %2$s/nginx.pid;
                error_log %2$s/nginx.log;
                events { worker_connections 512; }
                http {
                    access_log off;
                    sendfile on;
                    tcp_nopush off;
                    keepalive_requests 1000000000;
                    client_body_temp_path %2$s/body;
                    proxy_temp_path %2$s/proxy;
                    fastcgi_temp_path %2$s/fastcgi;
                    uwsgi_temp_path %2$s/uwsgi;
                    scgi_temp_path %2$s/scgi;
                    server {
                        listen 127.0.0.1:%3$d;
                        location = /file { alias %4$s; }
                    }
                }
                """.formatted(user, folder, port, file));
        Process process = new ProcessBuilder(
                        program.toString(),
                        "-p",
                        folder.toString(),
                        "-e",
                        folder.resolve("nginx.log").toString(),
                        "-c",
                        configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("nginx.said").toFile())
                .start();
        var nginx = new Nginx(ChildProcesses.with(process), URI.create("http://127.0.0.1:" + port + "/file"));
        nginx.waitUntilReady(port, folder);
        return nginx;
    }

    private void waitUntilReady(int port, Path folder) throws IOException, InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_WITHIN_SECONDS);
        while (true) {
            try (Socket answers = new Socket(InetAddress.getLoopbackAddress(), port)) {
                answers.getPort();
                return;
            } catch (IOException e) {
                if (!process.isAlive() || System.nanoTime() > until) {
                    process.destroyForcibly();
                    throw new IOException("nginx did not start: " + Files.readString(folder.resolve("nginx.said")), e);
                }
                TimeUnit.MILLISECONDS.sleep(5);
            }
        }
    }

    public URI address() {
        return address;
    }

    public long cpuNanos() {
        return ProcessTime.ofTree(process.toHandle());
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
