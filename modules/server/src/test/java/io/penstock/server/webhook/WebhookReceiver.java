package io.penstock.server.webhook;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PfxOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A receiver of webhooks with chosen answers, on a port of its own. */
public final class WebhookReceiver implements AutoCloseable {

    /** A request that it got, with its headers in lower case. */
    public record Received(String path, Map<String, String> headers, String body) {

        public JsonObject event() {
            return new JsonObject(body);
        }

        public String id() {
            return String.valueOf(headers.get("webhook-id"));
        }
    }

    /** Answers a request whose body was read. */
    public interface Behaviour {
        void answer(HttpServerRequest request, Received received);
    }

    private final Vertx vertx = Vertx.vertx();
    private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
    private final HttpServer server;
    private volatile Behaviour behaviour = status(200);

    public WebhookReceiver() {
        this(0);
    }

    public WebhookReceiver(int port) {
        this(port, new HttpServerOptions());
    }

    /** With a certificate of its own making for localhost and 127.0.0.1, which is put into the folder. */
    public static WebhookReceiver withTls(Path folder) throws IOException, InterruptedException {
        Path keys = folder.resolve("receiver.p12");
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process made = new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-alias",
                        "receiver",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        "penstock",
                        "-keystore",
                        keys.toString())
                .inheritIO()
                .start();
        if (made.waitFor() != 0) {
            throw new IOException("keytool failed");
        }
        return new WebhookReceiver(
                0,
                new HttpServerOptions()
                        .setSsl(true)
                        .setKeyCertOptions(
                                new PfxOptions().setPath(keys.toString()).setPassword("penstock")));
    }

    private WebhookReceiver(int port, HttpServerOptions options) {
        server = vertx.createHttpServer(options)
                .requestHandler(request -> request.body().onSuccess(body -> {
                    Map<String, String> headers = new TreeMap<>();
                    request.headers()
                            .forEach(header -> headers.put(header.getKey().toLowerCase(), header.getValue()));
                    var one = new Received(request.uri(), headers, body.toString());
                    received.add(one);
                    behaviour.answer(request, one);
                }))
                .listen(port, "127.0.0.1")
                .await();
    }

    public int port() {
        return server.actualPort();
    }

    public String url(String path) {
        return "http://127.0.0.1:" + port() + path;
    }

    public void behave(Behaviour next) {
        behaviour = next;
    }

    public static Behaviour status(int status) {
        return (request, got) -> request.response().setStatusCode(status).end("thanks");
    }

    /** The next request. */
    public Received next() throws InterruptedException {
        Received next = received.poll(30, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no delivery within 30 s");
        }
        return next;
    }

    public boolean isIdle() {
        return received.isEmpty();
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
