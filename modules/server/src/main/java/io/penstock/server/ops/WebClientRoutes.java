package io.penstock.server.ops;

import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.handler.StaticHandler;

/** The web client's files, as the build has put them on the class path. */
public final class WebClientRoutes {

    private WebClientRoutes() {}

    public static void add(Router router) {
        router.route().method(HttpMethod.GET).method(HttpMethod.HEAD).handler(request -> {
            request.response()
                    .putHeader(
                            "content-security-policy",
                            "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
                    .putHeader("x-content-type-options", "nosniff")
                    .putHeader("referrer-policy", "no-referrer");
            request.next();
        });
        router.route()
                .method(HttpMethod.GET)
                .method(HttpMethod.HEAD)
                .handler(StaticHandler.create("web").setCachingEnabled(true).setIndexPage("index.html"));
    }
}
