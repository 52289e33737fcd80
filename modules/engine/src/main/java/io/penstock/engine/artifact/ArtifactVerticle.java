package io.penstock.engine.artifact;

import io.penstock.engine.artifact.file.Ballast;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Owns a node's artifacts: opens the store, serves it at its address, runs retention at the start and every hour, and closes the store. */
public final class ArtifactVerticle extends VerticleBase {

    private static final Logger log = LoggerFactory.getLogger(ArtifactVerticle.class);
    private static final Duration EVERY = Duration.ofHours(1);
    private static final Duration UNREAD = Duration.ofSeconds(5);
    private static final long MIB = 1 << 20;

    private final Path folder;
    private final Duration keep;
    private final int openFiles;
    private final int readFiles;
    private final long reserveBytes;
    private final Ballast ballast;
    private @Nullable ArtifactStore store;
    private boolean removing;

    /**
     * @param keep the time for which artifacts are kept after their end
     * @param openFiles the maximum number of open files of growing outputs
     * @param readFiles the maximum number of files that are kept open for readers
     * @param reserveBytes the disk space that outputs leave free
     */
    public ArtifactVerticle(Path folder, Duration keep, int openFiles, int readFiles, long reserveBytes) {
        this.openFiles = openFiles;
        this.readFiles = readFiles;
        this.folder = folder;
        this.keep = keep;
        this.reserveBytes = reserveBytes;
        this.ballast = new Ballast(folder.resolveSibling(""));
    }

    /** The store, once this verticle is deployed. */
    public ArtifactStore artifacts() {
        ArtifactStore open = store;
        if (open == null) {
            throw new Failure(FailureCode.TASK_NOT_READY, "The store of artifacts is not open yet");
        }
        return open;
    }

    @Override
    public Future<?> start() {
        var isShort = new AtomicBoolean();
        return vertx.executeBlocking(() -> {
                    isShort.set(ballast.releaseIfShort());
                    return ArtifactStore.open(folder, openFiles, readFiles, reserveBytes);
                })
                .map(Objects::requireNonNull)
                .onSuccess(open -> {
                    store = open;
                    vertx.setPeriodic(EVERY.toMillis(), hour -> remove(open));
                    vertx.setPeriodic(
                            UNREAD.toMillis(),
                            often -> vertx.executeBlocking(
                                            () -> {
                                                open.closeUnread();
                                                ballast.restore();
                                                return null;
                                            },
                                            false)
                                    .onFailure(e -> log.warn("Closing unread artifacts failed", e)));
                })
                .compose(open -> {
                    Future<?> removed = remove(open);
                    // The parts that start next need the space. A failed removal is logged.
                    return isShort.get()
                            ? removed.transform(done -> Future.succeededFuture(open))
                            : Future.succeededFuture(open);
                })
                .compose(open -> ArtifactService.serve(vertx, open));
    }

    /** Runs on its own thread: with millions of artifacts it takes minutes, too long for a worker. */
    private Future<?> remove(ArtifactStore open) {
        if (removing) {
            return Future.succeededFuture();
        }
        removing = true;
        Promise<Retention.Outcome> removed = Promise.promise();
        removed.future().onComplete(done -> context.runOnContext(back -> removing = false));
        Thread.ofPlatform().daemon().name("artifact-retention").start(() -> {
            try {
                Retention.Outcome outcome = open.retain(Retention.onDiskOf(folder, keep));
                logOutcome(outcome);
                removed.complete(outcome);
            } catch (IOException | RuntimeException e) {
                log.warn("Old outputs could not be removed; the next try is in an hour", e);
                removed.fail(e);
            }
        });
        return removed.future();
    }

    private void logOutcome(Retention.Outcome outcome) {
        if (outcome.deletedArtifacts() > 0) {
            log.info(
                    "{} outputs with {} MiB were removed: older than {} days, or beyond half of the disk; {} with {} MiB are kept",
                    outcome.deletedArtifacts(),
                    outcome.deletedBytes() / MIB,
                    keep.toDays(),
                    outcome.artifacts(),
                    outcome.bytes() / MIB);
        }
    }

    @Override
    public Future<?> stop() {
        ArtifactStore open = store;
        return vertx.executeBlocking(() -> {
            if (open != null) {
                open.close();
            }
            return null;
        });
    }
}
