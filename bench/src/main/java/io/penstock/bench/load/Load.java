package io.penstock.bench.load;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;

/** Spawns tasks and views them, on one event loop, which owns all its state. */
final class Load {

    /** The limit of a viewer's socket; beyond it the server would wait for this client. */
    private static final int POOL = 10_000;

    final Latencies spawned = new Latencies("spawn_to_201", "asked → 201, it is recorded");
    final Latencies endSeen = new Latencies("spawn_to_end_seen", "asked → its end is seen");
    final Latencies lineSeen = new Latencies("written_to_seen", "line written → seen by a viewer");
    long frames;
    long outputBytes;
    long wireBytes;
    long lost;
    long doubled;
    long outOfPlace;
    long ended;
    long failures;
    String lastFailure = "";

    private final Vertx vertx;
    private final LoadOptions options;
    private final LoadedServer server;
    private final HttpClient client;
    private final Buffer body;
    private final Promise<Void> all = Promise.promise();
    private int begun;
    private int over;

    Load(Vertx vertx, LoadOptions options, LoadedServer server) {
        this.vertx = vertx;
        this.options = options;
        this.server = server;
        var http = new HttpClientOptions()
                .setDefaultHost(server.address().getHost())
                .setDefaultPort(port());
        this.client = vertx.createHttpClient(http, new PoolOptions().setHttp1MaxSize(POOL));
        this.body = options.tool().toBuffer();
    }

    private int port() {
        int port = server.address().getPort();
        return port < 0 ? 80 : port;
    }

    /** Completes when all tasks have ended and their viewers have seen it. */
    Future<Void> run() {
        if (options.perSecond() > 0) {
            long[] paced = {0};
            long from = System.nanoTime();
            vertx.setPeriodic(1, timer -> {
                long due = (System.nanoTime() - from) * options.perSecond() / 1_000_000_000L;
                for (; paced[0] < due && begun < options.tasks(); paced[0]++) {
                    one();
                }
                if (begun == options.tasks()) {
                    vertx.cancelTimer(timer);
                }
            });
        } else {
            for (int i = 0; i < options.connections() && begun < options.tasks(); i++) {
                one();
            }
        }
        return all.future();
    }

    private void one() {
        begun++;
        long asked = System.nanoTime();
        client.request(request(HttpMethod.POST, "/tasks"))
                .compose(request ->
                        request.putHeader("content-type", "application/json").send(body))
                .compose(response -> response.body().compose(answer -> {
                    if (response.statusCode() != 201) {
                        return Future.failedFuture("POST /tasks: " + response.statusCode() + " " + answer);
                    }
                    spawned.add(System.nanoTime() - asked);
                    return Future.succeededFuture(answer.toJsonObject().getString("task_id"));
                }))
                .compose(task -> viewed(task, asked))
                .onComplete(done -> {
                    if (done.failed()) {
                        failures++;
                        lastFailure = String.valueOf(done.cause().getMessage());
                    }
                    over++;
                    if (over == options.tasks()) {
                        all.complete();
                    } else if (options.perSecond() == 0 && begun < options.tasks()) {
                        one();
                    }
                });
    }

    private Future<Void> viewed(String task, long asked) {
        if (options.viewers() == 0) {
            return ended(task).map(state -> {
                endSeen.add(System.nanoTime() - asked);
                ended++;
                return null;
            });
        }
        var views = new ArrayList<Future<SeenStream>>();
        for (int i = 0; i < options.viewers(); i++) {
            views.add(view(task).onSuccess(seen -> endSeen.add(System.nanoTime() - asked)));
        }
        return Future.join(views).compose(seen -> ended(task)).map(state -> {
            ended++;
            views.forEach(view -> count(view.result(), state.getLong("next_seq")));
            return null;
        });
    }

    private void count(SeenStream seen, Long frameCount) {
        frames += seen.frames();
        outputBytes += seen.outputBytes();
        wireBytes += seen.wireBytes();
        // The task records how many frames there were: those missing at the end are lost too.
        lost += seen.lost() + (frameCount == null ? 0 : Math.max(0, frameCount - seen.frames()));
        doubled += seen.doubled();
        outOfPlace += seen.outOfPlace();
    }

    private Future<JsonObject> ended(String task) {
        return client.request(request(HttpMethod.GET, "/tasks/" + task + "?wait=50000"))
                .compose(HttpClientRequest::send)
                .compose(response -> response.body().map(Buffer::toJsonObject));
    }

    private Future<SeenStream> view(String task) {
        var seen = new SeenStream(written -> lineSeen.add(1000 * (nowMicros() - written)));
        return client.request(request(HttpMethod.GET, "/tasks/" + task + "/events?until=end&from_seq=0"))
                .compose(HttpClientRequest::send)
                .compose(response -> {
                    if (response.statusCode() != 200) {
                        return Future.failedFuture("the events of " + task + ": " + response.statusCode());
                    }
                    response.handler(seen::add);
                    return response.end().map(seen);
                });
    }

    private static long nowMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    private RequestOptions request(HttpMethod method, String path) {
        var request = new RequestOptions().setMethod(method).setURI(path);
        String token = server.token();
        return token == null ? request : request.putHeader("authorization", "Bearer " + token);
    }
}
