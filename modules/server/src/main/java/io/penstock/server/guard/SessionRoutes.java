package io.penstock.server.guard;

import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** {@code /session}: a browser gives the token once and has a cookie from then on, which its scripts cannot read. */
public final class SessionRoutes {

    private SessionRoutes() {}

    public static void bind(ApiRoutes routes, Guard guard) {
        routes.bind(ApiOperation.OPEN_SESSION, request -> {
            AccessToken token = guard.token();
            Instant until = Instant.now().plus(BrowserSession.LASTS);
            if (token == null) {
                answer(request, null);
            } else {
                cookie(request, token, BrowserSession.open(token, until), BrowserSession.LASTS.toSeconds());
                answer(request, until.getEpochSecond() * 1000);
            }
        });
        routes.bind(ApiOperation.CLOSE_SESSION, request -> {
            AccessToken token = guard.token();
            if (token != null) {
                cookie(request, token, "", 0);
            }
            answer(request, null);
        });
    }

    private static void cookie(RoutingContext request, AccessToken token, String value, long seconds) {
        request.response()
                .addCookie(Cookie.cookie(BrowserSession.cookieName(token), value)
                        .setHttpOnly(true)
                        .setSameSite(CookieSameSite.STRICT)
                        .setPath("/")
                        .setMaxAge(seconds));
    }

    private static void answer(RoutingContext request, @Nullable Long expiresAtMs) {
        request.response()
                .putHeader("content-type", "application/json")
                .putHeader("cache-control", "no-store")
                .end(new JsonObject().put("expires_at_ms", expiresAtMs).encode());
    }
}
