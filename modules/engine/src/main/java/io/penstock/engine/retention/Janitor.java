package io.penstock.engine.retention;

import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.log.BlockingSteps;
import io.penstock.engine.log.retention.LedgerLimits;
import io.penstock.engine.log.retention.LedgerRetention;
import io.penstock.engine.log.retention.Removal;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes old tasks and sessions, and the outputs of removed tasks, every hour, and says what it removed. */
public final class Janitor {

    private static final Logger log = LoggerFactory.getLogger(Janitor.class);

    private static final long EVERY_MS = Duration.ofHours(1).toMillis();

    /** Postgres may be away, or a reader may have held a lock. */
    private static final long AGAIN_AFTER_MS = Duration.ofMinutes(1).toMillis();

    /** With less space, a start removes what it may before it does anything else: as /readyz says. */
    private static final long NEARLY_FULL_BYTES = 256L << 20;

    private static final long MIB = 1 << 20;

    private final Vertx vertx;
    private final LedgerRetention ledger;
    private final LedgerLimits limits;
    private final ArtifactStore artifacts;
    private final Path data;
    private volatile Runnable whenRemoved = () -> {};
    private volatile JanitorStatus status;
    private boolean outputsChecked;
    private long timer = -1;
    private boolean stopped;

    public Janitor(Vertx vertx, LedgerRetention ledger, LedgerLimits limits, ArtifactStore artifacts, Path data) {
        this.vertx = vertx;
        this.ledger = ledger;
        this.limits = limits;
        this.artifacts = artifacts;
        this.data = data;
        this.status = new JanitorStatus(limits, null, null, 0, 0, 0, 0, 0);
    }

    /** Opens one with the limits of these settings. */
    public static Janitor of(
            Vertx vertx,
            LedgerRetention ledger,
            RetentionSettings settings,
            boolean embedded,
            ArtifactStore artifacts,
            Path data)
            throws IOException {
        return new Janitor(vertx, ledger, settings.ledger(data, embedded), artifacts, data);
    }

    /** Blocks until it is done if the disk is nearly full; the parts of a server that start next need the space. */
    public void makeRoom() throws IOException {
        if (Files.getFileStore(data).getUsableSpace() < NEARLY_FULL_BYTES) {
            runOnce();
        }
    }

    /** Runs at once, and then every hour. */
    public void start() {
        BlockingSteps.run(() -> {
                    schedule(runOnce() ? EVERY_MS : AGAIN_AFTER_MS);
                    return null;
                })
                .onFailure(e -> log.error("Retention has stopped", e));
    }

    private synchronized void schedule(long afterMs) {
        if (!stopped) {
            timer = vertx.setTimer(afterMs, due -> start());
        }
    }

    /** Runs the listener after tasks were removed: what remembers them must forget them. */
    public void whenRemoved(Runnable listener) {
        whenRemoved = listener;
    }

    public JanitorStatus status() {
        return status;
    }

    /** The newest removals, also of earlier servers. */
    public Future<List<Removal>> newest(int limit) {
        return BlockingSteps.run(() -> ledger.newest(limit).await());
    }

    /** Blocks. Returns whether everything that is due is done. */
    boolean runOnce() {
        try {
            removeStreams();
            return true;
        } catch (Exception e) {
            // Something may have been removed before it failed, or the answer was lost.
            whenRemoved.run();
            JanitorStatus was = status;
            String why = String.valueOf(e.getMessage());
            status = new JanitorStatus(
                    limits,
                    was.ranAtMs(),
                    why,
                    was.ledgerBytes(),
                    was.tasks(),
                    was.sessions(),
                    was.bytes(),
                    was.outputs());
            if (!isStopped()) {
                log.warn("Old tasks could not be removed; the next try is in a minute: {}", why);
            }
            return false;
        }
    }

    private void removeStreams() {
        LedgerRetention.Outcome outcome = ledger.run(limits, this::heldTasks);
        List<Removal> removals = outcome.removals();
        JanitorStatus was = status;
        long outputs = 0;
        if (!removals.isEmpty()) {
            whenRemoved.run();
            status = after(was, outcome, outputs);
        }
        // After the status: a reader of the log finds there what the log says.
        removals.forEach(Janitor::log);
        if (!removals.isEmpty() || !outputsChecked) {
            // Also once after each start: a server that was killed may have removed tasks and not their outputs.
            outputs = artifacts.removeOutputs(ledger::removed);
            outputsChecked = true;
            if (outputs > 0) {
                log.info("{} outputs of removed tasks were removed", outputs);
            }
        }
        keepPinned();
        status = after(was, outcome, outputs);
    }

    private void keepPinned() {
        Set<String> before = artifacts.pinned().all();
        try {
            artifacts.pinned().replace(before, ledger.pinned());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private JanitorStatus after(JanitorStatus was, LedgerRetention.Outcome outcome, long outputs) {
        List<Removal> removals = outcome.removals();
        return new JanitorStatus(
                limits,
                System.currentTimeMillis(),
                null,
                outcome.bytes(),
                was.tasks() + removals.stream().mapToLong(Removal::tasks).sum(),
                was.sessions() + removals.stream().mapToLong(Removal::sessions).sum(),
                was.bytes() + removals.stream().mapToLong(Removal::bytes).sum(),
                was.outputs() + outputs);
    }

    private static void log(Removal done) {
        log.info(
                "{} tasks and {} sessions were removed ({}), all that had ended before {} and had not to stay; {} MiB are free again",
                done.tasks(),
                done.sessions(),
                switch (done.reason()) {
                    case AGE -> "kept for long enough";
                    case SIZE -> "the ledger was too large";
                },
                Instant.ofEpochMilli(done.beforeMs()),
                done.bytes() / MIB);
    }

    private Set<String> heldTasks() {
        // What a dead server left is not finished before these files are gone.
        var tasks = new HashSet<String>();
        for (String folder : List.of("live", "queue")) {
            try (Stream<Path> files = Files.list(data.resolve(folder))) {
                files.forEach(file -> tasks.add(file.getFileName().toString()));
            } catch (NoSuchFileException e) {
                // Nothing has run here yet.
                continue;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return tasks;
    }

    private synchronized boolean isStopped() {
        return stopped;
    }

    public synchronized void stop() {
        stopped = true;
        vertx.cancelTimer(timer);
    }
}
