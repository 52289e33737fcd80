package io.penstock.server.guard;

import io.penstock.frames.Actor;
import io.penstock.frames.FailureCode;
import io.penstock.server.failure.HttpFailure;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Stands before all routes. Lets in who asked this server by a name of its own, not from another site's page, and with the token or a session that was opened with it;
 * only health, the pages and what the API is, which hold nothing, are shown without one.
 */
public final class Guard implements Handler<RoutingContext> {

    private static final Set<String> OPEN = Set.of(
            "/",
            "/index.html",
            "/docs",
            "/docs.html",
            "/favicon.ico",
            "/favicon.svg",
            "/healthz",
            "/readyz",
            "/openapi.json");
    private static final String OPEN_FOLDER = "/assets/";
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "::1");
    private static final Set<String> EVERY_ADDRESS = Set.of("0.0.0.0", "::", "0:0:0:0:0:0:0:0");
    private static final String SCHEME = "bearer ";

    private final String host;
    private static final Pattern ANSWER = Pattern.compile("/tasks/[^/]+/answer");

    private final @Nullable AccessToken token;
    private final @Nullable AccessToken answerToken;

    private Guard(String host, @Nullable AccessToken token, @Nullable AccessToken answerToken) {
        this.host = host.toLowerCase(Locale.ROOT);
        this.token = token;
        this.answerToken = answerToken;
    }

    /**
     * Two rights: whoever may run programs shall not by that be able to answer for a person what policy asks about them.
     *
     * @param host the address that the server listens on
     * @param token for all but answers
     * @param answerToken for answers, and to read what they are about
     */
    public static Guard withTokens(String host, AccessToken token, AccessToken answerToken) {
        return new Guard(host, token, answerToken);
    }

    /** For those who are alone on their machine: no token is asked for, which only a loopback address allows. */
    public static Guard withoutToken(String host) {
        if (!isLoopback(host)) {
            throw new IllegalArgumentException("--auth off needs a loopback address such as --host 127.0.0.1; on "
                    + host + " everyone who reaches this machine could run programs on it");
        }
        return new Guard(host, null, null);
    }

    /** Whether only this machine reaches that address. */
    public static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Who answers when this guard has let somebody in to answer. */
    public Actor answerer() {
        return token == null ? actor() : Actor.user("answerer");
    }

    /** Who acts when this guard has let somebody in: there is one token for that, so there is one who has it. */
    public Actor actor() {
        return Actor.user(token == null ? "local" : "token");
    }

    @Override
    public void handle(RoutingContext request) {
        HostName asked = checkHost(request.request());
        checkOrigin(request.request(), asked);
        if (!isOpen(request)) {
            checkToken(request);
        }
        request.next();
    }

    /** A page whose name was made to stand for this machine still asks for it by that name. */
    private HostName checkHost(HttpServerRequest request) {
        List<String> headers = request.headers().getAll("host");
        HostName asked = headers.size() == 1 ? HostName.parse(headers.getFirst()) : null;
        if (asked == null) {
            throw HttpFailure.wrong(
                    400, "A request has one Host header with a host and perhaps a port, such as localhost:7341");
        }
        boolean ours = LOOPBACK.contains(asked.host())
                || asked.host().equals(host)
                || (EVERY_ADDRESS.contains(host) && asked.isAddress());
        if (!ours) {
            String also =
                    EVERY_ADDRESS.contains(host) ? " or by its address" : LOOPBACK.contains(host) ? "" : " or " + host;
            throw denied(
                    "This server is not called \"" + asked.host() + "\"; ask it as localhost, 127.0.0.1, [::1]" + also);
        }
        return asked;
    }

    private static void checkOrigin(HttpServerRequest request, HostName asked) {
        for (String origin : request.headers().getAll("origin")) {
            int usualPort = origin.startsWith("https://") ? 443 : 80;
            HostName from = origin.matches("https?://.*") ? HostName.parse(origin.replaceFirst("https?://", "")) : null;
            if (from == null || !from.withPort(usualPort).equals(asked.withPort(usualPort))) {
                throw denied("Pages of other sites may not use this server: the Origin header says \"" + origin
                        + "\", the Host header another place");
            }
        }
    }

    private static boolean reads(RoutingContext request) {
        HttpMethod method = request.request().method();
        return method == HttpMethod.GET || method == HttpMethod.HEAD;
    }

    private static boolean isOpen(RoutingContext request) {
        String path = request.normalizedPath();
        return reads(request) && (OPEN.contains(path) || path.startsWith(OPEN_FOLDER));
    }

    private void checkToken(RoutingContext request) {
        AccessToken wanted = token;
        if (wanted == null) {
            return;
        }
        String header = request.request().getHeader("authorization");
        if (header == null && hasSession(request.request(), wanted)) {
            if (isAnswer(request)) {
                throw notForAnswers();
            }
            return;
        }
        if (header == null) {
            throw unknown(
                    request,
                    "This needs the access token, sent as \"Authorization: Bearer TOKEN\"; it is in the file token in the"
                            + " server's data directory");
        }
        if (!header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            throw unknown(request, "The Authorization header must be \"Bearer TOKEN\"");
        }
        String given = header.substring(SCHEME.length()).strip();
        boolean answers = isAnswer(request);
        if (answerToken != null && answerToken.is(given)) {
            if (!answers && !reads(request)) {
                throw denied(
                        "The answer token answers what policy asks and reads; for all else it needs the access token");
            }
            if (attachesToControl(request)) {
                throw denied("With the answer token one attaches to look on, with rights=view; to do more it needs the"
                        + " access token");
            }
            return;
        }
        if (answers && wanted.is(given)) {
            throw notForAnswers();
        }
        if (!wanted.is(given)) {
            throw unknown(
                    request,
                    "This is not the access token of this server; that is in the file token in its data directory");
        }
    }

    /** It begins as a request that reads. */
    private static boolean attachesToControl(RoutingContext request) {
        return request.request().canUpgradeToWebSocket()
                && !request.queryParam("rights").equals(List.of("view"));
    }

    private static boolean isAnswer(RoutingContext request) {
        return request.request().method() == HttpMethod.POST
                && ANSWER.matcher(request.normalizedPath()).matches();
    }

    private static HttpFailure notForAnswers() {
        return denied("To answer what policy asks needs the answer token, which is in the file answer-token in the"
                + " server's data directory");
    }

    /**
     * A cookie comes with whatever a browser sends here, also for pages of other ports of this host, which are the same site to it
     * and whose plain reads have no Origin. Those say what they are in Sec-Fetch-Site.
     */
    private static boolean hasSession(HttpServerRequest request, AccessToken token) {
        Instant now = Instant.now();
        if (request.cookies(BrowserSession.cookieName(token)).stream()
                .noneMatch(cookie -> BrowserSession.isGood(token, cookie.getValue(), now))) {
            return false;
        }
        String from = request.getHeader("sec-fetch-site");
        if (from != null && !from.equals("same-origin") && !from.equals("none")) {
            throw denied(
                    "Pages of other sites may not use this server: the Sec-Fetch-Site header says \"" + from + "\"");
        }
        return true;
    }

    @Nullable
    AccessToken token() {
        return token;
    }

    private static HttpFailure unknown(RoutingContext request, String message) {
        request.response().putHeader("www-authenticate", "Bearer");
        return new HttpFailure(401, FailureCode.PERMISSION_DENIED, message);
    }

    private static HttpFailure denied(String message) {
        return new HttpFailure(403, FailureCode.PERMISSION_DENIED, message);
    }
}
