package io.penstock.server.ws;

import io.penstock.server.request.RequestFields;
import io.penstock.server.ws.wire.WsLimits;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The latest operations of clients, by the numbers that the clients gave them. An operation that is repeated, as after a
 * broken connection, is not carried out again and gets the same answer. One that failed was not done and may be tried again.
 * May be called from any thread.
 */
final class OperationHistory {

    private record Client(String taskId, String name) {}

    /** The operations of one client. */
    private static final class Operations {
        private final TreeMap<Long, Future<@Nullable Long>> done = new TreeMap<>();
        private long forgotten;

        synchronized Future<@Nullable Long> once(long op, Supplier<Future<@Nullable Long>> operation) {
            Future<@Nullable Long> before = done.get(op);
            if (before != null) {
                return before;
            }
            if (op <= forgotten) {
                throw RequestFields.wrong("The operation " + op + " is too old to be known; numbers rise, and the last "
                        + WsLimits.OPERATIONS_KNOWN + " can be sent again");
            }
            Future<@Nullable Long> started = operation.get();
            done.put(op, started);
            if (done.size() > WsLimits.OPERATIONS_KNOWN) {
                forgotten = done.pollFirstEntry().getKey();
            }
            return started;
        }

        synchronized void forget(long op, Future<@Nullable Long> failed) {
            done.remove(op, failed);
        }
    }

    private final Map<Client, Operations> byClient = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Client, Operations> eldest) {
            return size() > WsLimits.CLIENTS_KNOWN;
        }
    };

    /** @param operation completes with the seq of the frame that records it; null if no frame does */
    Future<@Nullable Long> once(String taskId, String client, long op, Supplier<Future<@Nullable Long>> operation) {
        Operations operations = of(new Client(taskId, client));
        Future<@Nullable Long> done = operations.once(op, operation);
        return done.onFailure(e -> operations.forget(op, done));
    }

    private synchronized Operations of(Client client) {
        return byClient.computeIfAbsent(client, c -> new Operations());
    }
}
