package io.penstock.engine.policy;

import io.penstock.engine.address.Address;
import io.penstock.engine.address.Service;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.EventBus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the rules in force, and gives verdicts on spawns at its address. For operations on a task, shards read the rules, an immutable
 * value, and evaluate them on their own thread, so that a keystroke needs no message to another thread. A changed file takes effect as a
 * whole, or not at all if it is invalid.
 */
public final class PolicyVerticle extends VerticleBase {

    public static final String ADDRESS = "penstock.policy";

    private static final Logger log = LoggerFactory.getLogger(PolicyVerticle.class);

    /** Reading a file's time and size takes some microseconds and, unlike change notifications, works on every kind of disk. */
    private static final long CHECK_INTERVAL_MS = 250;

    /** The attributes by which a change of the file is detected. */
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

    public static Address<PolicyQuestion> address(EventBus bus) {
        return new Address<>(
                bus,
                ADDRESS,
                () -> new Failure(FailureCode.TASK_NOT_READY, "The server shuts down and starts no task"));
    }

    /** Answers questions at the address, from the rules in force. */
    public static Future<Void> serve(EventBus bus, Supplier<Policy> inForce) {
        return Service.<PolicyQuestion>serve(
                bus, ADDRESS, question -> Future.succeededFuture(inForce.get().verdict(question)));
    }

    /** May be called from any thread, and costs a field read. */
    public Policy inForce() {
        return inForce;
    }

    /** May be called from any thread. */
    public PolicyStatus status() {
        return new PolicyStatus(inForce.name(), broken);
    }

    @Override
    public Future<?> start() {
        return readFirst().compose(first -> serve(vertx.eventBus(), this::inForce));
    }

    private Future<?> readFirst() {
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
                    checkLater(file);
                });
    }

    private void checkLater(Path file) {
        vertx.setTimer(
                CHECK_INTERVAL_MS,
                t -> vertx.executeBlocking(() -> stamp(file))
                        .compose(stamp -> reloadWhenSettled(file, stamp))
                        .onComplete(checked -> checkLater(file)));
    }

    private Future<?> reloadWhenSettled(Path file, @Nullable Stamp now) {
        // Two equal stamps in a row mean that the writer has finished.
        boolean settled = Objects.equals(now, seen);
        seen = now;
        if (!settled || Objects.equals(now, read)) {
            return Future.succeededFuture();
        }
        read = now;
        return vertx.executeBlocking(source::read).map(Objects::requireNonNull).onComplete(done -> {
            if (done.succeeded()) {
                // In this order: a reader that sees the new rules must not see the old error.
                broken = null;
                inForce = done.result();
                log.info("Reloaded {}: {} is in force", file, inForce.name());
            } else {
                broken = done.cause() instanceof Failure failure
                        ? failure.getMessage()
                        : done.cause().toString();
                log.warn("{}. The previous policy stays in force", broken);
            }
        });
    }

    private static @Nullable Stamp stamp(Path file) {
        try {
            var attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new Stamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
        } catch (IOException e) {
            return null; // reading the file reports why
        }
    }
}
