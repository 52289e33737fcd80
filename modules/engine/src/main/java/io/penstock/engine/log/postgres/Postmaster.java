package io.penstock.engine.log.postgres;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts Postgres from a thread that outlives it. The kernel sends the parent-death signal when the <em>thread</em>
 * that started a process ends, so the thread must belong to no pool and carry no virtual threads.
 */
final class Postmaster {

    private static final Logger log = LoggerFactory.getLogger(Postmaster.class);
    private static final long LOG_CHECK_SECONDS = 10;

    private Postmaster() {}

    static Process start(List<String> command, ServerLog output) throws IOException, InterruptedException {
        var started = new CompletableFuture<Process>();
        Thread.ofPlatform().name("penstock-postgres").daemon(true).start(() -> parent(command, output, started));
        try {
            return started.get();
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e.getCause());
        }
    }

    private static void parent(List<String> command, ServerLog output, CompletableFuture<Process> started) {
        Process process;
        try {
            process =
                    Programs.builder(command).redirectOutput(output.redirect()).start();
        } catch (IOException e) {
            started.completeExceptionally(e);
            return;
        }
        started.complete(process);
        boolean ended = false;
        while (!ended) {
            try {
                ended = process.waitFor(LOG_CHECK_SECONDS, TimeUnit.SECONDS);
                output.keepBounded();
            } catch (InterruptedException e) {
                log.warn("The thread that keeps Postgres alive was interrupted and continues");
            } catch (IOException e) {
                log.warn("The log of Postgres, {}, cannot be truncated: {}", output.file(), e.toString());
            }
        }
    }
}
