package io.penstock.server.ops;

import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.handler.StaticHandler;

/** The web client's files, as the build has put them on the class path. */
public final class WebClientRoutes {

    private WebClientRoutes() {}

    public static void add(Router router) {
        shown(router.route()).handler(request -> {
            request.response()
                    .putHeader(
                            "content-security-policy",
                            "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
                    .putHeader("x-content-type-options", "nosniff")
                    .putHeader("referrer-policy", "no-referrer");
            request.next();
        });
        // What a page is made of has a digest in its name and never changes; the pages themselves are asked for each
        // time.
        shown(router.route("/assets/*"))
                .handler(StaticHandler.create("web/assets").setCachingEnabled(true));
        shown(router.route("/docs"))
                .handler(request -> request.reroute(request.request().method(), "/docs.html"));
        shown(router.route()).handler(request -> {
            request.response().putHeader("cache-control", "no-cache");
            request.next();
        });
        shown(router.route())
                .handler(StaticHandler.create("web").setCachingEnabled(false).setIndexPage("index.html"));
    }

    private static Route shown(Route route) {
        return route.method(HttpMethod.GET).method(HttpMethod.HEAD);
    }
}
