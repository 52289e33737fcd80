package io.penstock.server.api;

import io.penstock.server.failure.HttpFailure;
import io.penstock.server.request.AnswerHeaders;
import io.penstock.server.request.Gzip;
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

/** Creates routes from the document: binds each operation to its handler and refuses everything else. */
public final class ApiRoutes {

    /** Decides whether a caller may call an operation; throws the refusal if not. */
    public interface Admission {
        void admit(ApiDocument.Endpoint place, RoutingContext request);
    }

    private final ApiDocument document;
    private final Map<ApiOperation, Handler<RoutingContext>> handlers = new EnumMap<>(ApiOperation.class);

    public ApiRoutes(ApiDocument document) {
        this.document = document;
        Buffer text = Buffer.buffer(document.text());
        bind(
                ApiOperation.API_DOCUMENT,
                request -> AnswerHeaders.typed(request.response(), "application/json")
                        .putHeader("cache-control", "no-cache")
                        .end(Gzip.body(request, text)));
    }

    public ApiRoutes bind(ApiOperation operation, Handler<RoutingContext> handler) {
        if (handlers.put(operation, handler) != null) {
            throw new IllegalStateException("The operation " + operation.id() + " is bound twice");
        }
        return this;
    }

    /**
     * To be called when all operations are bound.
     *
     * @param admission asked about each operation after its route has matched, so that no second reading of the path
     * decides
     */
    public void add(Router router, Admission admission) {
        var unbound = EnumSet.allOf(ApiOperation.class);
        unbound.removeAll(handlers.keySet());
        if (!unbound.isEmpty()) {
            throw new IllegalStateException("No handler is bound to "
                    + unbound.stream().map(ApiOperation::id).toList());
        }
        var paths = new TreeMap<String, Map<HttpMethod, Handler<RoutingContext>>>();
        for (ApiDocument.Endpoint place : document.places()) {
            Handler<RoutingContext> handler = handler(place.operation());
            paths.computeIfAbsent(place.path(), _ -> new HashMap<>()).put(place.method(), request -> {
                admission.admit(place, request);
                handler.handle(request);
            });
        }
        paths.forEach((path, methods) -> route(router, path, methods));
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
}
