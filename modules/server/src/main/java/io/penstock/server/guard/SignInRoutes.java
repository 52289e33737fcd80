package io.penstock.server.guard;

import io.penstock.frames.FailureCode;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.failure.HttpFailure;
import io.penstock.server.request.AnswerHeaders;
import io.vertx.core.Future;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** {@code /session}: a browser sends the token once and then uses a cookie, which its scripts cannot read. */
public final class SignInRoutes {

    private SignInRoutes() {}

    public static void bind(ApiRoutes routes, Guard guard) {
        BrowserSessions sessions = guard.sessions();
        if (sessions == null) {
            // Without tokens there is nothing to sign in to.
            routes.bind(ApiOperation.OPEN_SESSION, request -> answer(request, null));
            routes.bind(ApiOperation.CLOSE_SESSION, request -> answer(request, null));
            routes.bind(ApiOperation.CLOSE_ALL_SESSIONS, request -> answer(request, null));
            return;
        }
        routes.bind(ApiOperation.OPEN_SESSION, request -> {
            Instant now = Instant.now();
            onDisk(request, () -> sessions.open(now)).onSuccess(value -> {
                cookie(request, sessions, Objects.requireNonNull(value), BrowserSessions.LASTS.toSeconds());
                answer(request, now.plus(BrowserSessions.LASTS).getEpochSecond() * 1000);
            });
        });
        routes.bind(
                ApiOperation.CLOSE_SESSION,
                request -> closed(request, sessions, () -> {
                    for (Cookie cookie : request.request().cookies(sessions.cookieName())) {
                        sessions.revoke(cookie.getValue());
                    }
                    return "";
                }));
        routes.bind(
                ApiOperation.CLOSE_ALL_SESSIONS,
                request -> closed(request, sessions, () -> {
                    sessions.endAll();
                    return "";
                }));
    }

    private static void closed(RoutingContext request, BrowserSessions sessions, Callable<String> ending) {
        onDisk(request, ending).onSuccess(value -> {
            cookie(request, sessions, "", 0);
            answer(request, null);
        });
    }

    private static Future<@Nullable String> onDisk(RoutingContext request, Callable<String> change) {
        return request.vertx()
                .executeBlocking(change)
                .onFailure(e -> request.fail(
                        e instanceof IOException
                                ? new HttpFailure(
                                        503,
                                        FailureCode.LOG_UNAVAILABLE,
                                        "The change cannot be written to the data directory, so a restart would undo it; try again")
                                : e));
    }

    private static void cookie(RoutingContext request, BrowserSessions sessions, String value, long seconds) {
        request.response()
                .addCookie(Cookie.cookie(sessions.cookieName(), value)
                        .setHttpOnly(true)
                        .setSameSite(CookieSameSite.STRICT)
                        .setPath("/")
                        .setMaxAge(seconds));
    }

    private static void answer(RoutingContext request, @Nullable Long expiresAtMs) {
        AnswerHeaders.json(request.response())
                .end(new JsonObject().put("expires_at_ms", expiresAtMs).encode());
    }
}
