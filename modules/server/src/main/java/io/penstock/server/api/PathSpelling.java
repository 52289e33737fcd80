package io.penstock.server.api;

import io.penstock.server.failure.HttpFailure;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import java.util.regex.Pattern;

/**
 * Runs before all routes and ensures that each resource has one spelling. A router matches paths after normalizing
 * them: it accepts a trailing slash, doubled slashes, dot segments and percent escapes. A handler that reads the path
 * as sent would then decide about a different path.
 */
public final class PathSpelling implements Handler<RoutingContext> {

    /** All ids and all file names of the web client consist of these characters; none is only dots. */
    private static final Pattern PLAIN = Pattern.compile("/|(?:/(?!\\.{1,2}(?:/|$))[A-Za-z0-9._:@~-]+)+");

    private static final Pattern BAD_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");

    @Override
    public void handle(RoutingContext request) {
        String target = request.request().uri();
        int query = target.indexOf('?');
        String path = query < 0 ? target : target.substring(0, query);
        if (BAD_ESCAPE.matcher(path).find()) {
            throw HttpFailure.wrong(400, "The path of this request has a % that no two hexadecimal digits follow");
        }
        if (!path.startsWith("/")) {
            throw HttpFailure.wrong(400, "A request names a path that begins with a slash, such as /tasks");
        }
        if (PLAIN.matcher(path).matches()) {
            request.next();
        } else {
            request.fail(404);
        }
    }
}
