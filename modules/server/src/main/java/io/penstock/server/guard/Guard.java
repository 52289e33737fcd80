package io.penstock.server.guard;

import io.penstock.frames.Actor;
import io.penstock.frames.FailureCode;
import io.penstock.server.api.ApiDocument;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.api.Credential;
import io.penstock.server.failure.HttpFailure;
import io.penstock.server.request.RequestFields;
import io.vertx.core.Handler;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs before all routes, and refuses requests that name another server or come from another site's page. Each
 * operation then asks it whether the OpenAPI document accepts the request's credential for that operation.
 */
public final class Guard implements Handler<RoutingContext>, ApiRoutes.Admission {

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "::1");
    private static final Set<String> EVERY_ADDRESS = Set.of("0.0.0.0", "::", "0:0:0:0:0:0:0:0");
    private static final String SCHEME = "bearer ";
    private static final String PRESENTED = "penstock.presented";

    /** The credential of a request. */
    private sealed interface Presented {

        /** @param session closes the connection of the request when the browser signs out; null for other credentials */
        record Good(Credential credential, @Nullable Function<Runnable, Runnable> session) implements Presented {}

        /** A valid credential where it must not be used. */
        record Bad(HttpFailure refusal) implements Presented {}

        record Nothing(String why) implements Presented {}
    }

    private final String host;
    private final @Nullable AccessToken token;
    private final @Nullable AnswerToken answerToken;
    private final @Nullable BrowserSessions sessions;

    private Guard(
            String host,
            @Nullable AccessToken token,
            @Nullable AnswerToken answerToken,
            @Nullable BrowserSessions sessions) {
        this.host = host.toLowerCase(Locale.ROOT);
        this.token = token;
        this.answerToken = answerToken;
        this.sessions = sessions;
    }

    /**
     * Two separate rights: permission to run programs must not include answering policy questions about them in a
     * person's place.
     *
     * @param host the address that the server listens on
     * @param token permits everything except answers
     * @param answerToken permits answers, and reading the tasks that they are about; null if none exists, so that no answers are
     * possible
     * @param sessions of browsers, opened with the access token
     */
    public static Guard withTokens(
            String host, AccessToken token, @Nullable AnswerToken answerToken, BrowserSessions sessions) {
        return new Guard(host, token, answerToken, sessions);
    }

    /** For a single user on a machine: no token is required, which is only permitted on a loopback address. */
    public static Guard withoutToken(String host) {
        if (!isLoopback(host)) {
            throw new IllegalArgumentException("--auth off needs a loopback address such as --host 127.0.0.1; on "
                    + host + " everyone who can reach this machine could run programs on it");
        }
        return new Guard(host, null, null, null);
    }

    /** Whether only this machine reaches that address. */
    public static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** The actor recorded for answers that this guard admitted. */
    public Actor answerer() {
        return token == null ? actor() : Actor.user("answerer");
    }

    /** The actor recorded for other operations: there is one access token, so there is one actor. */
    public Actor actor() {
        return Actor.user(token == null ? "local" : "token");
    }

    @Override
    public void handle(RoutingContext request) {
        HostName asked = checkHost(request.request());
        checkOrigin(request.request(), asked);
        request.put(PRESENTED, presented(request.request()));
        request.next();
    }

    /** Whether a caller that presents this, or nothing, has all rights except answers. */
    public boolean isAccessToken(@Nullable String given) {
        return token == null || (given != null && token.matches(given));
    }

    /** Whether the request has a valid credential, required or not. */
    public boolean isAuthenticated(RoutingContext request) {
        return request.get(PRESENTED) instanceof Presented.Good;
    }

    /**
     * For a connection that stays open longer than its request: closes it when the browser session that admitted the request ends. Does nothing
     * for other credentials, which do not end while the server runs.
     *
     * @param close called at most once, on any thread
     * @return to be run when it is closed for another reason
     */
    public static Runnable closeOnSignOut(RoutingContext request, Runnable close) {
        return request.get(PRESENTED) instanceof Presented.Good good && good.session() != null
                ? good.session().apply(close)
                : () -> {};
    }

    @Override
    public void admit(ApiDocument.Endpoint place, RoutingContext request) {
        if (place.isOpen()) {
            return;
        }
        Presented presented = Objects.requireNonNull(request.get(PRESENTED));
        Credential given = switch (presented) {
            case Presented.Good good -> good.credential();
            case Presented.Bad bad -> throw bad.refusal();
            case Presented.Nothing nothing -> {
                request.response().putHeader("www-authenticate", "Bearer");
                throw new HttpFailure(401, FailureCode.PERMISSION_DENIED, nothing.why());
            }
        };
        if (token == null) {
            return;
        }
        if (!place.credentials().contains(given)) {
            throw switch (given) {
                case TOKEN, SESSION ->
                    place.credentials().contains(Credential.TOKEN) ? tokenRequired() : answerTokenRequired();
                case ANSWER_TOKEN ->
                    denied(
                            "The answer token permits only answering policy questions and reading; everything else needs the access"
                                    + " token");
            };
        }
        if (given == Credential.ANSWER_TOKEN
                && (place.operation() == ApiOperation.ATTACH_TASK || place.operation() == ApiOperation.ATTACH_MAILBOX)
                && !request.queryParam("rights").equals(List.of("view"))) {
            throw denied("The answer token permits attaching only with rights=view; other rights need the"
                    + " access token");
        }
    }

    /** Protects against DNS rebinding: a page whose name was made to resolve to this machine still sends that name. */
    private HostName checkHost(HttpServerRequest request) {
        List<String> headers = request.headers().getAll("host");
        HostName asked = headers.size() == 1 ? HostName.parse(headers.getFirst()) : null;
        if (asked == null) {
            throw HttpFailure.wrong(
                    400, "A request has one Host header with a host and perhaps a port, such as localhost:7341");
        }
        boolean isThisServer = LOOPBACK.contains(asked.host())
                || asked.host().equals(host)
                || (EVERY_ADDRESS.contains(host) && asked.isAddress());
        if (!isThisServer) {
            String otherNames =
                    EVERY_ADDRESS.contains(host) ? " or by its address" : LOOPBACK.contains(host) ? "" : " or " + host;
            throw denied("This server is not called \"" + RequestFields.shown(asked.host())
                    + "\"; ask it as localhost, 127.0.0.1, [::1]" + otherNames);
        }
        return asked;
    }

    private static void checkOrigin(HttpServerRequest request, HostName asked) {
        for (String origin : request.headers().getAll("origin")) {
            int usualPort = origin.startsWith("https://") ? 443 : 80;
            HostName from = origin.matches("https?://.*") ? HostName.parse(origin.replaceFirst("https?://", "")) : null;
            if (from == null || !from.withPort(usualPort).equals(asked.withPort(usualPort))) {
                throw denied("Pages of other sites may not use this server: the Origin header says \""
                        + RequestFields.shown(origin)
                        + "\", but the Host header names another host");
            }
        }
    }

    /**
     * If there is an Authorization header, it alone decides. Without tokens, every user of this machine has all rights.
     */
    private Presented presented(HttpServerRequest request) {
        AccessToken wanted = token;
        if (wanted == null) {
            return fromThisSite(request, new Presented.Good(Credential.TOKEN, null));
        }
        String header = request.getHeader("authorization");
        if (header == null) {
            Presented.Good session = session(request);
            return session != null
                    ? fromThisSite(request, session)
                    : new Presented.Nothing(
                            "This needs the access token, sent as \"Authorization: Bearer TOKEN\"; it is"
                                    + " in the file token in the server's data directory");
        }
        if (!header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            return new Presented.Nothing("The Authorization header must be \"Bearer TOKEN\"");
        }
        String given = header.substring(SCHEME.length()).strip();
        if (wanted.matches(given)) {
            return new Presented.Good(Credential.TOKEN, null);
        }
        if (answerToken != null && answerToken.matches(given)) {
            return new Presented.Good(Credential.ANSWER_TOKEN, null);
        }
        return new Presented.Nothing(
                "This is not the access token of this server; that is in the file token in its data directory");
    }

    private static HttpFailure tokenRequired() {
        return denied("This needs the access token itself, not the cookie of a browser session");
    }

    private static HttpFailure answerTokenRequired() {
        return denied(
                "Answering a policy question needs the answer token, which was shown once on the server's terminal;"
                        + " `penstock answer-token` makes a new one while the server is stopped");
    }

    private Presented.@Nullable Good session(HttpServerRequest request) {
        BrowserSessions open = sessions;
        Instant now = Instant.now();
        return open == null
                ? null
                : request.cookies(open.cookieName()).stream()
                        .map(Cookie::getValue)
                        .filter(cookie -> open.isGood(cookie, now))
                        .findFirst()
                        .map(cookie -> new Presented.Good(Credential.SESSION, close -> open.opened(cookie, close)))
                        .orElse(null);
    }

    /**
     * A browser sends a cookie with every request to this host, even from pages on other ports, which it considers the
     * same site and whose plain reads have no Origin. The Sec-Fetch-Site header says which site a request comes from.
     */
    private static Presented fromThisSite(HttpServerRequest request, Presented.Good credential) {
        for (String from : request.headers().getAll("sec-fetch-site")) {
            if (!from.equals("same-origin") && !from.equals("none")) {
                return new Presented.Bad(
                        denied("Pages of other sites may not use this server: the Sec-Fetch-Site header" + " says \""
                                + from + "\""));
            }
        }
        return credential;
    }

    /** Null if no token is required. */
    @Nullable
    BrowserSessions sessions() {
        return sessions;
    }

    private static HttpFailure denied(String message) {
        return new HttpFailure(403, FailureCode.PERMISSION_DENIED, message);
    }
}
