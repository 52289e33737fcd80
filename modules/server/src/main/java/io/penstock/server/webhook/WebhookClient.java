package io.penstock.server.webhook;

import io.penstock.engine.policy.WebhookGate;
import io.penstock.frames.Actor;
import io.penstock.frames.Failure;
import io.penstock.frames.WholeCharacters;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends items to receivers. Policy is asked before each delivery: about the host of the URL, and about the address if that is of this
 * machine or its link, since a name can lead anywhere; and the connection goes to the address that was asked about. Redirects are not
 * followed. Lives on the webhooks' context.
 */
final class WebhookClient {

    private final Vertx vertx;
    private final HttpClient http;
    private final WorkerExecutor lookups;
    private final WebhookGate gate;
    private final long timeoutMs;

    WebhookClient(Vertx vertx, WebhookGate gate, long timeoutMs) {
        this.vertx = vertx;
        this.gate = gate;
        this.timeoutMs = timeoutMs;
        this.lookups = vertx.createSharedWorkerExecutor("penstock-webhook-lookup", WebhookLimits.LOOKUPS);
        var options = new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_1_1)
                .setConnectTimeout(WebhookLimits.CONNECT_MS)
                .setMaxHeaderSize(16 * 1024)
                .setDecompressionSupported(false)
                .setVerifyHost(true);
        this.http = vertx.createHttpClient(
                options,
                new PoolOptions()
                        .setHttp1MaxSize(WebhookLimits.DELIVERIES)
                        .setMaxWaitQueueSize(WebhookLimits.DELIVERIES));
    }

    Future<?> close() {
        return Future.join(http.close(), lookups.close());
    }

    /** Asks policy about the receiver. A name that cannot be looked up now is asked about again with each delivery. */
    Future<String> allow(Actor principal, String session, WebhookUrl url) {
        String rule;
        try {
            rule = gate.allow(principal, session, url.scheme(), url.host(), url.port());
        } catch (Failure denied) {
            return Future.failedFuture(denied);
        }
        return address(principal, session, url)
                .transform(found -> found.cause() instanceof Failure denied
                        ? Future.failedFuture(denied)
                        : Future.succeededFuture(rule));
    }

    /** The address that a delivery connects to; fails with {@link Failure} if policy denies it. */
    private Future<InetAddress> address(Actor principal, String session, WebhookUrl url) {
        return lookups.executeBlocking(() -> lookUp(url.host()), false)
                .timeout(WebhookLimits.LOOKUP_MS, TimeUnit.MILLISECONDS)
                .map(found -> {
                    LookedUp address = Objects.requireNonNull(found);
                    if (address.isHere()) {
                        gate.allow(
                                principal,
                                session,
                                url.scheme(),
                                address.address().getHostAddress(),
                                url.port());
                    }
                    return address.address();
                });
    }

    private record LookedUp(InetAddress address, boolean isHere) {}

    private static LookedUp lookUp(String host) throws IOException {
        InetAddress address = InetAddress.getByName(host);
        boolean here = address.isLoopbackAddress()
                || address.isLinkLocalAddress()
                || address.isAnyLocalAddress()
                || address.isMulticastAddress()
                || NetworkInterface.getByInetAddress(address) != null;
        return new LookedUp(address, here);
    }

    /** Sends an event once. Always succeeds, with what became of it. */
    Future<Attempt> send(WebhookFiles.Stored webhook, WebhookSecret secret, CloudEvent event) {
        Promise<Attempt> done = Promise.promise();
        WebhookUrl url = webhook.url();
        try {
            gate.allow(webhook.actor(), webhook.session(), url.scheme(), url.host(), url.port());
        } catch (Failure denied) {
            return Future.succeededFuture(failed(denied));
        }
        var delivery = new Delivery(done);
        long timer = vertx.setTimer(
                timeoutMs,
                late -> delivery.end(
                        new Attempt.Failed(null, "the receiver did not answer within " + timeoutMs + " ms", 0)));
        address(webhook.actor(), webhook.session(), url)
                .compose(address -> http.request(options(url, address)))
                .onFailure(why -> delivery.end(failed(why)))
                .onSuccess(request -> delivery.send(request, secret, event));
        return done.future().onComplete(ended -> vertx.cancelTimer(timer));
    }

    private static RequestOptions options(WebhookUrl url, InetAddress address) {
        return new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setServer(SocketAddress.inetSocketAddress(url.port(), address.getHostAddress()))
                .setHost(url.host())
                .setPort(url.port())
                .setSsl(url.isSecure())
                .setURI(url.pathAndQuery())
                .setFollowRedirects(false)
                .putHeader("content-type", CloudEvent.CONTENT_TYPE)
                .putHeader("user-agent", "penstock");
    }

    private static Attempt failed(Throwable why) {
        String said = why instanceof UnknownHostException ? "its host cannot be looked up" : message(why);
        return new Attempt.Failed(null, WholeCharacters.beginning(said, WebhookLimits.ERROR_CHARS), 0);
    }

    /** With the first cause: Vert.x says of a certificate only that TLS has failed. */
    private static String message(Throwable why) {
        Throwable first = why;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        String said =
                Objects.requireNonNullElse(why.getMessage(), why.getClass().getSimpleName());
        return first == why || first.getMessage() == null || said.contains(first.getMessage())
                ? said
                : said + ": " + first.getMessage();
    }

    /** One request and its answer. */
    private static final class Delivery {

        private final Promise<Attempt> done;
        private @Nullable HttpClientRequest request;
        private @Nullable Attempt answered;
        private long read;

        Delivery(Promise<Attempt> done) {
            this.done = done;
        }

        void send(HttpClientRequest opened, WebhookSecret secret, CloudEvent event) {
            request = opened;
            if (done.future().isComplete()) {
                reset();
                return;
            }
            long seconds = Instant.now().getEpochSecond();
            opened.exceptionHandler(why -> end(failed(why)));
            opened.putHeader("webhook-id", event.id())
                    .putHeader("webhook-timestamp", String.valueOf(seconds))
                    .putHeader("webhook-signature", secret.signature(event.id(), seconds, event.body()));
            opened.response().onSuccess(this::answered).onFailure(why -> end(failed(why)));
            opened.end(Buffer.buffer(event.body())).onFailure(why -> end(failed(why)));
        }

        /** The status decides. The body is read to its end, within the bound and the time, to use the connection again. */
        private void answered(HttpClientResponse response) {
            Attempt attempt = attempt(response);
            response.exceptionHandler(broken -> end(attempt));
            response.handler(bytes -> {
                read += bytes.length();
                if (read > WebhookLimits.ANSWER_BYTES) {
                    end(attempt);
                    reset();
                }
            });
            response.endHandler(all -> done.tryComplete(attempt));
            answered = attempt;
        }

        /** Completes once; a request that is still open is broken off. */
        void end(Attempt attempt) {
            Attempt known = answered;
            if (done.tryComplete(known == null ? attempt : known)) {
                reset();
            }
        }

        private void reset() {
            HttpClientRequest open = request;
            if (open != null) {
                open.reset();
            }
        }

        private static Attempt attempt(HttpClientResponse response) {
            int status = response.statusCode();
            if (status >= 200 && status < 300) {
                return new Attempt.Accepted(status);
            }
            String error = status >= 300 && status < 400
                    ? "the receiver redirects (" + status + "), which is not followed"
                    : status == 410 ? "the receiver is gone (410)" : "the receiver answered " + status;
            return new Attempt.Failed(status, error, retryAfterMs(response.getHeader("retry-after")));
        }
    }

    /** Seconds, or a date. */
    static long retryAfterMs(@Nullable String header) {
        if (header == null) {
            return 0;
        }
        long ms;
        if (header.matches("[0-9]{1,9}")) {
            ms = TimeUnit.SECONDS.toMillis(Long.parseLong(header));
        } else {
            try {
                ms = Duration.between(
                                Instant.now(),
                                ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME)
                                        .toInstant())
                        .toMillis();
            } catch (DateTimeParseException e) {
                ms = 0;
            }
        }
        return Math.clamp(ms, 0, WebhookLimits.RETRY_AFTER_MOST_MS);
    }
}
