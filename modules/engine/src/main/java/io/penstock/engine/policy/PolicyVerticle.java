package io.penstock.engine.policy;

import io.penstock.frames.Failure;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the rules in force. Shards take them as they are at that moment and ask them on their own thread: a keystroke waits for no
 * message to another thread, and one question never meets half of a change. A changed file is taken up as a whole, or, if there is
 * something wrong with it, not at all.
 */
public final class PolicyVerticle extends VerticleBase {

    private static final Logger log = LoggerFactory.getLogger(PolicyVerticle.class);

    /** Asking for a file's time and size costs some microseconds, and works on every kind of disk, unlike being told of changes. */
    private static final long LOOK_EVERY_MS = 250;

    /** By which a file is known to be another than it was. */
    private record Stamp(
            FileTime modified, long bytes, @Nullable Object key) {}

    private final PolicySource source;
    private volatile Policy inForce;
    private volatile @Nullable String broken;
    private @Nullable Stamp read;
    private @Nullable Stamp seen;

    public PolicyVerticle(PolicySource source) {
        this.source = source;
        this.inForce = source.profile().with(List.of());
    }

    /** May be called from any thread, and is as cheap as reading a field. */
    public Policy inForce() {
        return inForce;
    }

    /** May be called from any thread. */
    public PolicyStanding standing() {
        return new PolicyStanding(inForce.name(), broken);
    }

    @Override
    public Future<?> start() {
        Path file = source.file();
        if (file == null) {
            return Future.succeededFuture();
        }
        return vertx.executeBlocking(() -> {
                    read = stamp(file);
                    return source.read();
                })
                .map(Objects::requireNonNull)
                .onSuccess(first -> {
                    inForce = first;
                    seen = read;
                    lookAgain(file);
                });
    }

    private void lookAgain(Path file) {
        vertx.setTimer(
                LOOK_EVERY_MS,
                t -> vertx.executeBlocking(() -> stamp(file))
                        .compose(stamp -> look(file, stamp))
                        .onComplete(looked -> lookAgain(file)));
    }

    private Future<?> look(Path file, @Nullable Stamp now) {
        // Seen twice the same: whoever writes it has come to an end.
        boolean settled = Objects.equals(now, seen);
        seen = now;
        if (!settled || Objects.equals(now, read)) {
            return Future.succeededFuture();
        }
        read = now;
        return vertx.executeBlocking(source::read).map(Objects::requireNonNull).onComplete(done -> {
            if (done.succeeded()) {
                // In this order: who finds the new rules in force is not told any more what was wrong.
                broken = null;
                inForce = done.result();
                log.info("{} has changed: {} is in force now", file, inForce.name());
            } else {
                broken = done.cause() instanceof Failure failure
                        ? failure.getMessage()
                        : done.cause().toString();
                log.warn("{}. What was in force before stays so", broken);
            }
        });
    }

    private static @Nullable Stamp stamp(Path file) {
        try {
            var attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new Stamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
        } catch (IOException e) {
            return null; // reading it says why
        }
    }
}
