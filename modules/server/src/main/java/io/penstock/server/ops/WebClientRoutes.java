package io.penstock.server.ops;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.MimeMapping;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.StaticHandler;

/** The web client's files, as the build has put them on the class path; packed for those who take gzip, which nearly all do. */
public final class WebClientRoutes {

    private static final String FOREVER = "public, immutable, max-age=31536000";

    private WebClientRoutes() {}

    public static void add(Router router) {
        shown(router.route()).handler(request -> {
            request.response()
                    .putHeader(
                            "content-security-policy",
                            "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
                    .putHeader("x-content-type-options", "nosniff")
                    .putHeader("referrer-policy", "no-referrer")
                    .putHeader("vary", "accept-encoding");
            request.next();
        });
        shown(router.route("/docs"))
                .handler(request -> request.reroute(request.request().method(), "/docs.html"));
        // What a page is made of has a digest in its name and never changes; the pages themselves are asked for each
        // time.
        shown(router.route()).handler(request -> {
            boolean isPage = !request.normalizedPath().startsWith("/assets/");
            request.addHeadersEndHandler(answered -> {
                if (request.response().getStatusCode() < 400) {
                    request.response().putHeader("cache-control", isPage ? "no-cache" : FOREVER);
                }
            });
            request.next();
        });
        router.get().handler(WebClientRoutes::packedIfTaken);
        shown(router.route())
                .handler(StaticHandler.create("web").setCachingEnabled(false).setIndexPage("index.html"));
    }

    private static void packedIfTaken(RoutingContext request) {
        String path = request.normalizedPath();
        String name = path.equals("/") ? "/index.html" : path;
        String packed = "web" + name + ".gz"; // the build has packed each beside itself
        if (!takesGzip(request)) {
            request.next();
            return;
        }
        request.vertx().fileSystem().exists(packed).onComplete(there -> {
            if (there.succeeded() && there.result()) {
                request.response()
                        .putHeader("content-encoding", "gzip")
                        .putHeader("content-type", MimeMapping.mimeTypeForFilename(name) + ";charset=UTF-8")
                        .sendFile(packed)
                        .onFailure(request::fail);
            } else {
                request.next();
            }
        });
    }

    private static boolean takesGzip(RoutingContext request) {
        return request.parsedHeaders().acceptEncoding().stream()
                .anyMatch(each -> each.value().equalsIgnoreCase("gzip") && each.weight() > 0);
    }

    private static Route shown(Route route) {
        return route.method(HttpMethod.GET).method(HttpMethod.HEAD);
    }
}
