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
 * What clients have asked to be done lately, by the numbers that they gave it: sent again, as after a connection that broke, it is not
 * done again and has the same answer. What failed was not done, so it may be tried again. Any thread.
 */
final class OperationHistory {

    private record Client(String taskId, String name) {}

    /** Of one client. */
    private static final class Numbers {
        private final TreeMap<Long, Future<@Nullable Long>> done = new TreeMap<>();
        private long forgotten;

        synchronized Future<@Nullable Long> once(long op, Supplier<Future<@Nullable Long>> doIt) {
            Future<@Nullable Long> before = done.get(op);
            if (before != null) {
                return before;
            }
            if (op <= forgotten) {
                throw RequestFields.wrong("The operation " + op + " is too old to be known; numbers rise, and the last "
                        + WsLimits.OPERATIONS_KNOWN + " can be sent again");
            }
            Future<@Nullable Long> begun = doIt.get();
            done.put(op, begun);
            if (done.size() > WsLimits.OPERATIONS_KNOWN) {
                forgotten = done.pollFirstEntry().getKey();
            }
            return begun;
        }

        synchronized void forget(long op, Future<@Nullable Long> failed) {
            done.remove(op, failed);
        }
    }

    private final Map<Client, Numbers> byClient = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Client, Numbers> eldest) {
            return size() > WsLimits.CLIENTS_KNOWN;
        }
    };

    /** @param doIt completes with the seq of the frame that tells it, if it has one of its own */
    Future<@Nullable Long> once(String taskId, String client, long op, Supplier<Future<@Nullable Long>> doIt) {
        Numbers numbers = of(new Client(taskId, client));
        Future<@Nullable Long> done = numbers.once(op, doIt);
        return done.onFailure(e -> numbers.forget(op, done));
    }

    private synchronized Numbers of(Client client) {
        return byClient.computeIfAbsent(client, c -> new Numbers());
    }
}
