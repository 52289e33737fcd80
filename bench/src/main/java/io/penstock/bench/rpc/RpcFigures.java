package io.penstock.bench.rpc;

import io.penstock.bench.load.LoadedServer;
import io.penstock.bench.log.Machine;
import io.penstock.bench.log.Spread;
import io.penstock.bench.peer.NodeServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Prints the latency from a request of a host to its response, one after another, and the events that one and a hundred connections get in a
 * second; beside a server of JSON lines in node that does nothing else, in turns.
 */
public final class RpcFigures {

    public static final int ROUNDS = 5;

    private static final int WARM_ROUNDS = 2;
    private static final int REQUESTS = 3_000;
    private static final int EVENTS = 4_000;
    private static final int MANY = 100;

    /** One server, and how it is asked. */
    private record Peer(String name, URI address, @Nullable String token) {

        HostSocket connect() throws IOException {
            return new HostSocket(address, token);
        }
    }

    private final int rounds;
    private int ids;

    private RpcFigures(int rounds) {
        this.rounds = rounds;
    }

    public static void run(int rounds) throws IOException, InterruptedException, ExecutionException {
        try (LoadedServer server = LoadedServer.startForHosts()) {
            try (NodeServer node =
                    NodeServer.start(Objects.requireNonNull(server.data().getParent()), "lines.mjs")) {
                System.out.println(Machine.now());
                var own = new Peer("Penstock", server.hosts(), server.token());
                var other = new Peer("node", node.address(), null);
                new RpcFigures(rounds).compare(own, other);
                System.out.println(Machine.now());
            }
        }
    }

    private void compare(Peer own, Peer node) throws IOException, InterruptedException, ExecutionException {
        try (HostSocket host = own.connect()) {
            open(host, "bench");
        }
        System.out.printf(
                Locale.ROOT,
                "%n%d requests one after another, in microseconds; medians (least–most) of %d runs after %d.%n%n%-34s %20s %20s%n",
                REQUESTS,
                rounds,
                WARM_ROUNDS,
                "",
                "p50",
                "p99");
        requests("node: parsed and answered", node, "echo");
        requests("Penstock: refused", own, "unknown");
        requests("Penstock: get_state", own, "get_state");
        requests("Penstock: switch_task, recorded", own, "switch_task");
        System.out.printf(Locale.ROOT, "%n%d events of one turn, lines per second over all connections.%n%n", EVENTS);
        for (int connections : new int[] {1, MANY}) {
            events(node, connections);
            events(own, connections);
        }
        System.out.println();
    }

    private static void open(HostSocket host, String task) throws IOException {
        host.ask("create " + task, "create_or_open_task", new JsonObject().put("taskId", task));
        host.ask("switch " + task, "switch_task", new JsonObject().put("taskId", task));
        host.until("task_ready");
    }

    private void requests(String name, Peer peer, String type) throws IOException {
        double[] p50 = new double[rounds];
        double[] p99 = new double[rounds];
        try (HostSocket host = peer.connect()) {
            for (int round = -WARM_ROUNDS; round < rounds; round++) {
                double[] micros = new double[REQUESTS];
                for (int i = 0; i < REQUESTS; i++) {
                    String id = "r" + ids++;
                    byte[] request = HostSocket.request(id, type, new JsonObject().put("taskId", "bench"));
                    long sent = System.nanoTime();
                    host.send(request);
                    host.until("{\"id\":\"" + id + "\"");
                    micros[i] = (System.nanoTime() - sent) / 1e3;
                }
                Arrays.sort(micros);
                if (round >= 0) {
                    p50[round] = micros[REQUESTS / 2];
                    p99[round] = micros[REQUESTS * 99 / 100];
                }
            }
        }
        System.out.printf("%-34s %20s %20s%n", name, whole(p50), whole(p99));
    }

    private static String whole(double[] figures) {
        Spread spread = Spread.of(figures);
        return String.format(Locale.ROOT, "%,.0f (%,.0f–%,.0f)", spread.median(), spread.least(), spread.most());
    }

    private void events(Peer peer, int connections) throws IOException, InterruptedException, ExecutionException {
        double[] perSecond = new double[rounds];
        List<HostSocket> hosts = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < connections; i++) {
                hosts.add(peer.connect());
            }
            String prompt = "/tool t x\n".repeat(EVENTS - 1);
            for (int round = -1; round < rounds; round++) {
                if (peer.token() != null) {
                    // A conversation of the sample agent is full after one such turn.
                    open(hosts.getFirst(), "events-" + connections + "-" + (round + 1));
                }
                List<Future<Integer>> counts = new ArrayList<>();
                long sent = System.nanoTime();
                hosts.getFirst()
                        .send(HostSocket.request(
                                "e" + ids++,
                                "prompt",
                                new JsonObject().put("message", prompt).put("events", EVENTS)));
                hosts.forEach(host -> counts.add(threads.submit(() -> countToTheEnd(host))));
                long lines = 0;
                for (Future<Integer> count : counts) {
                    lines += count.get();
                }
                if (round >= 0) {
                    perSecond[round] = lines * 1e9 / (System.nanoTime() - sent);
                }
            }
            System.out.printf("%-10s to %3d connections %30s%n", peer.name(), connections, whole(perSecond));
        } finally {
            for (HostSocket host : hosts) {
                host.close();
            }
        }
    }

    private static int countToTheEnd(HostSocket host) throws IOException {
        int events = 0;
        for (String line = host.line(); line != null; line = host.line()) {
            if (line.startsWith("{\"type\":\"event\"")) {
                events++;
                if (line.contains("\"agent_end\"")) {
                    return events;
                }
            }
        }
        throw new IOException("the connection was closed after " + events + " events");
    }
}
