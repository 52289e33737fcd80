package io.penstock.server.api;

import io.penstock.server.failure.HttpFailure;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Makes routes of the document: each of its operations is led to what carries it out, and what it does not have is refused. */
public final class ApiRoutes {

    private final ApiDocument document;
    private final Map<ApiOperation, Handler<RoutingContext>> handlers = new EnumMap<>(ApiOperation.class);

    public ApiRoutes(ApiDocument document) {
        this.document = document;
        Buffer text = Buffer.buffer(document.text());
        bind(
                ApiOperation.API_DOCUMENT,
                request -> request.response()
                        .putHeader("content-type", "application/json")
                        .putHeader("cache-control", "no-cache")
                        .putHeader("x-content-type-options", "nosniff")
                        .end(text));
    }

    public ApiRoutes bind(ApiOperation operation, Handler<RoutingContext> handler) {
        if (handlers.put(operation, handler) != null) {
            throw new IllegalStateException("The operation " + operation.id() + " is bound twice");
        }
        return this;
    }

    /** To be called when all operations are bound. */
    public void add(Router router) {
        var unbound = EnumSet.allOf(ApiOperation.class);
        unbound.removeAll(handlers.keySet());
        if (!unbound.isEmpty()) {
            throw new IllegalStateException("Nothing carries out "
                    + unbound.stream().map(ApiOperation::id).toList());
        }
        var paths = new TreeMap<String, Map<HttpMethod, Handler<RoutingContext>>>();
        for (ApiDocument.Place place : document.places()) {
            paths.computeIfAbsent(place.path(), _ -> new HashMap<>()).put(place.method(), handler(place.operation()));
        }
        paths.forEach((path, methods) -> route(router, path, methods));
        // Below what the document has, nothing is looked for among the pages.
        for (String folder : folders(paths.keySet().stream().toList())) {
            router.route(folder + "/*").handler(request -> request.fail(404));
        }
    }

    private Handler<RoutingContext> handler(ApiOperation operation) {
        Handler<RoutingContext> handler = handlers.get(operation);
        if (handler == null) {
            throw new IllegalStateException(operation.id() + " is not bound");
        }
        return handler;
    }

    private static void route(Router router, String path, Map<HttpMethod, Handler<RoutingContext>> methods) {
        List<String> names = List.copyOf(
                new TreeSet<>(methods.keySet().stream().map(HttpMethod::name).toList()));
        router.route(path.replaceAll("\\{([a-z]+)}", ":$1")).handler(request -> {
            Handler<RoutingContext> handler = methods.get(request.request().method());
            if (handler == null) {
                request.response().putHeader("allow", String.join(", ", names));
                throw HttpFailure.wrong(
                        405,
                        path + " takes " + String.join(" and ", names) + ", not "
                                + request.request().method());
            }
            handler.handle(request);
        });
    }

    /** The first part of each path that goes on with a parameter. */
    private static TreeSet<String> folders(List<String> paths) {
        var folders = new TreeSet<String>();
        for (String path : paths) {
            int parameter = path.indexOf("/{");
            if (parameter > 0) {
                folders.add(path.substring(0, parameter));
            }
        }
        return folders;
    }
}
