package io.penstock.engine.artifact;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Owns a node's artifacts: opens their store, removes at the start and every hour what is kept no longer, and closes it. */
public final class ArtifactVerticle extends VerticleBase {

    private static final Logger log = LoggerFactory.getLogger(ArtifactVerticle.class);
    private static final Duration EVERY = Duration.ofHours(1);
    private static final Duration UNREAD = Duration.ofSeconds(5);
    private static final long MIB = 1 << 20;

    private final Path folder;
    private final Duration keep;
    private @Nullable ArtifactStore store;
    private boolean removing;

    /** @param keep how long after their end */
    public ArtifactVerticle(Path folder, Duration keep) {
        this.folder = folder;
        this.keep = keep;
    }

    /** Once this is deployed. */
    public ArtifactStore artifacts() {
        ArtifactStore open = store;
        if (open == null) {
            throw new Failure(FailureCode.TASK_NOT_READY, "The store of artifacts is not open yet");
        }
        return open;
    }

    @Override
    public Future<?> start() {
        return vertx.executeBlocking(() -> ArtifactStore.open(folder))
                .map(Objects::requireNonNull)
                .onSuccess(open -> {
                    store = open;
                    remove(open);
                    vertx.setPeriodic(EVERY.toMillis(), hour -> remove(open));
                    vertx.setPeriodic(
                            UNREAD.toMillis(),
                            often -> vertx.executeBlocking(
                                    () -> {
                                        open.closeUnread();
                                        return null;
                                    },
                                    false));
                });
    }

    /** On a thread of its own: with millions of artifacts it takes minutes, and no worker is to be away for so long. */
    private void remove(ArtifactStore open) {
        if (removing) {
            return;
        }
        removing = true;
        Promise<Retention.Outcome> removed = Promise.promise();
        removed.future().onComplete(done -> context.runOnContext(back -> removing = false));
        Thread.ofPlatform().daemon().name("artifact-retention").start(() -> {
            try {
                Retention.Outcome outcome = open.retain(Retention.onDiskOf(folder, keep));
                tell(outcome);
                removed.complete(outcome);
            } catch (IOException | RuntimeException e) {
                log.warn("Old outputs could not be removed; the next try is in an hour", e);
                removed.fail(e);
            }
        });
    }

    private void tell(Retention.Outcome outcome) {
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
