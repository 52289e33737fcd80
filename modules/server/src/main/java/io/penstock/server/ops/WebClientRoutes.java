package io.penstock.server.ops;

import io.penstock.server.request.Gzip;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;

/** The web client's pages and assets; compressed for clients that accept gzip, as nearly all do. */
public final class WebClientRoutes {

    private static final String FOREVER = "public, immutable, max-age=31536000";
    private static final String ASSETS = "/assets/";
    private static final WebFiles FILES = WebFiles.read();

    private WebClientRoutes() {}

    public static void add(Router router) {
        router.route().method(HttpMethod.GET).method(HttpMethod.HEAD).handler(WebClientRoutes::answer);
    }

    private static void answer(RoutingContext request) {
        String path = Objects.requireNonNullElse(request.request().path(), "");
        WebFiles.WebFile file = FILES.at(path);
        HttpServerResponse response = request.response();
        response.putHeader(
                        "content-security-policy",
                        "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none';"
                                + " form-action 'none'")
                .putHeader("x-content-type-options", "nosniff")
                .putHeader("referrer-policy", "no-referrer")
                .putHeader("vary", "accept-encoding");
        if (file == null) {
            request.next();
            return;
        }
        Buffer packed = Gzip.isTaken(request) ? file.packed() : null;
        if (packed != null) {
            response.putHeader("content-encoding", "gzip");
        }
        // Assets have a digest in their names and never change; browsers request the page itself each time.
        response.putHeader("cache-control", path.startsWith(ASSETS) ? FOREVER : "no-cache")
                .putHeader("content-type", file.contentType());
        Buffer bytes = packed != null ? packed : file.plain();
        if (request.request().method() == HttpMethod.HEAD) {
            response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(bytes.length()))
                    .end();
        } else {
            response.end(bytes);
        }
    }
}
