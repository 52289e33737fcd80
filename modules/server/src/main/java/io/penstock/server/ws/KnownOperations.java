package io.penstock.server.ws;

import io.penstock.server.request.JsonFields;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What clients have asked to be done lately, by the numbers that they gave it: sent again, as after a connection that broke, it is not
 * done again and has the same answer. What failed was not done, so it may be tried again. Any thread.
 */
final class KnownOperations {

    private record Client(String taskId, String name) {}

    private final Map<Client, TreeMap<Long, Future<@Nullable Long>>> byClient = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Client, TreeMap<Long, Future<@Nullable Long>>> eldest) {
            return size() > WsLimits.CLIENTS_KNOWN;
        }
    };

    /** @param doIt completes with the seq of the frame that tells it, if it has one of its own */
    Future<@Nullable Long> once(String taskId, String client, long op, Supplier<Future<@Nullable Long>> doIt) {
        Future<@Nullable Long> done;
        synchronized (this) {
            TreeMap<Long, Future<@Nullable Long>> known =
                    byClient.computeIfAbsent(new Client(taskId, client), c -> new TreeMap<>());
            Future<@Nullable Long> before = known.get(op);
            if (before != null) {
                return before;
            }
            if (known.size() >= WsLimits.OPERATIONS_KNOWN && op < known.firstKey()) {
                throw JsonFields.wrong("The operation " + op + " is too old to be known; numbers rise, and the last "
                        + WsLimits.OPERATIONS_KNOWN + " can be sent again");
            }
            done = doIt.get();
            known.put(op, done);
            if (known.size() > WsLimits.OPERATIONS_KNOWN) {
                known.pollFirstEntry();
            }
        }
        Future<@Nullable Long> begun = done;
        return done.onFailure(e -> forget(taskId, client, op, begun));
    }

    private synchronized void forget(String taskId, String client, long op, Future<@Nullable Long> failed) {
        TreeMap<Long, Future<@Nullable Long>> known = byClient.get(new Client(taskId, client));
        if (known != null) {
            known.remove(op, failed);
        }
    }
}
