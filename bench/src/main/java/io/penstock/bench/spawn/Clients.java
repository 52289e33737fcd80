package io.penstock.bench.spawn;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Clients that work at the same time, each of which does one thing after the other. */
final class Clients {

    /** A client's work. */
    interface Work {
        void runOne() throws IOException;
    }

    private Clients() {}

    /**
     * Returns how long they take.
     *
     * @param client the work of each, by its number
     * @param count how often they work in all
     */
    static double seconds(int clients, int count, IntFunction<Work> client)
            throws InterruptedException, ExecutionException {
        long begun = System.nanoTime();
        try (var threads = Executors.newFixedThreadPool(clients)) {
            List<Future<?>> working = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                int own = count / clients + (i < count % clients ? 1 : 0);
                Work work = client.apply(i);
                working.add(threads.submit(() -> {
                    for (int done = 0; done < own; done++) {
                        work.runOne();
                    }
                    return null;
                }));
            }
            for (Future<?> done : working) {
                done.get();
            }
        }
        return (System.nanoTime() - begun) / 1e9;
    }
}
