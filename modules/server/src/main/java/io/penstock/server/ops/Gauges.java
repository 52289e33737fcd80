package io.penstock.server.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.penstock.engine.ledger.LedgerHealth;
import io.penstock.engine.log.FrameListener;
import io.penstock.engine.retention.JanitorStatus;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.guard.Connections;
import io.penstock.server.request.AnswerHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** All metrics of the running server, and {@code /metrics}, where Prometheus reads them. */
public final class Gauges implements AutoCloseable {

    private static final Set<HttpMethod> METHODS =
            Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.POST, HttpMethod.PUT, HttpMethod.DELETE);
    private static final int CLASSES = 6;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final TaskMeters tasks = new TaskMeters(registry);
    private final AgentMeters agents = new AgentMeters(registry);
    private final Map<HttpMethod, Counter[]> requests =
            METHODS.stream().collect(Collectors.toMap(method -> method, method -> counters(method.name())));
    private final Counter[] otherRequests = counters("other");

    public Gauges() {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        collections.bindTo(registry);
    }

    /** The listeners for every frame. */
    public List<FrameListener.Source> listeners() {
        return List.of(tasks, agents);
    }

    /** Adds metrics of these, which exist only once the server has started. */
    public void watch(
            Supplier<LedgerHealth> log,
            IntSupplier running,
            IntSupplier queued,
            FreeDisk disk,
            Connections connections) {
        gauge(log, "penstock.journal.undrained.bytes", "Undrained bytes of the journal", LedgerHealth::undrainedBytes);
        gauge(log, "penstock.journal.segments", "Files of the journal", LedgerHealth::journalSegments);
        gauge(log, "penstock.log.waiting.writes", "Writes that wait for room in the log", LedgerHealth::waitingWrites);
        gauge(log, "penstock.log.streams", "Streams in use by writers or readers", LedgerHealth::streamsInUse);
        gauge(
                log,
                "penstock.database.up",
                "1 while Postgres is reachable",
                health -> health.databaseAway() == null ? 1 : 0);
        gauge(log, "penstock.log.up", "1 while frames are accepted", health -> health.broken() == null ? 1 : 0);
        Gauge.builder("penstock.tasks.running", running::getAsInt)
                .description("Running tasks, from the start of their program to their end")
                .register(registry);
        Gauge.builder("penstock.tasks.queued", queued::getAsInt)
                .description("Queued tasks")
                .register(registry);
        Gauge.builder("penstock.disk.free", disk, FreeDisk::freeBytes)
                .description("Free space on the disk of the data directory")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("penstock.http.connections", connections, Connections::open)
                .description("Open connections")
                .register(registry);
    }

    /** Adds metrics of retention. */
    public void watch(Supplier<JanitorStatus> janitor) {
        removed(janitor, "penstock.removed.tasks", "Tasks that retention has removed", JanitorStatus::tasks);
        removed(janitor, "penstock.removed.sessions", "Sessions that retention has removed", JanitorStatus::sessions);
        removed(janitor, "penstock.removed.outputs", "Outputs removed with their tasks", JanitorStatus::outputs);
        removed(janitor, "penstock.removed.bytes", "Bytes of the ledger that were removed", JanitorStatus::bytes);
        Gauge.builder("penstock.ledger.size", () -> janitor.get().ledgerBytes())
                .description("Size of the ledger in Postgres at the last check")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("penstock.retention.up", () -> janitor.get().failed() == null ? 1 : 0)
                .description("1 unless old tasks could not be removed at the last check")
                .register(registry);
    }

    private void removed(
            Supplier<JanitorStatus> janitor, String name, String what, ToDoubleFunction<JanitorStatus> figure) {
        // The registry holds this object weakly, and a supplier that is passed here would be held by nothing else.
        FunctionCounter.builder(name, this, self -> figure.applyAsDouble(janitor.get()))
                .description(what)
                .register(registry);
    }

    private void gauge(Supplier<LedgerHealth> log, String name, String what, ToDoubleFunction<LedgerHealth> figure) {
        Gauge.builder(name, () -> figure.applyAsDouble(log.get()))
                .description(what)
                .register(registry);
    }

    /** Counts all requests to this router. Call it before adding other routes. */
    public void count(Router router) {
        router.route().handler(request -> {
            request.addEndHandler(ended -> answered(request).increment());
            request.next();
        });
    }

    private Counter answered(RoutingContext request) {
        int answer = request.response().getStatusCode() / 100;
        Counter[] byAnswer = requests.get(request.request().method());
        return (byAnswer == null ? otherRequests : byAnswer)[answer > 0 && answer < CLASSES ? answer : 0];
    }

    /** One counter for each class of status codes; the first is for connections without an HTTP status. */
    private Counter[] counters(String method) {
        var counters = new Counter[CLASSES];
        for (int answer = 0; answer < CLASSES; answer++) {
            counters[answer] = Counter.builder("penstock.http.requests")
                    .description("Requests by method and class of status")
                    .tag("method", method)
                    .tag("status", answer == 0 ? "other" : answer + "xx")
                    .register(registry);
        }
        return counters;
    }

    /** {@code /metrics} in Prometheus' text format. */
    public void bind(ApiRoutes routes) {
        routes.bind(
                ApiOperation.METRICS,
                request -> request.vertx()
                        .executeBlocking(registry::scrape)
                        .onSuccess(text -> AnswerHeaders.momentary(
                                        request.response(), "text/plain; version=0.0.4; charset=utf-8")
                                .end(Objects.requireNonNull(text)))
                        .onFailure(request::fail));
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
