package io.penstock.engine.artifact;

import io.penstock.engine.address.Address;
import io.penstock.engine.address.Service;
import io.penstock.engine.artifact.ArtifactRequest.Recorded;
import io.penstock.engine.artifact.ArtifactRequest.TextPage;
import io.penstock.engine.artifact.file.Deletion;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import java.io.IOException;

/** Seals, stores, finds, reads and deletes artifacts at an address. What needs the disk runs on workers. */
public final class ArtifactService implements Service<ArtifactRequest<?>> {

    public static final String ADDRESS = "penstock.artifacts";

    private final Vertx vertx;
    private final ArtifactStore store;

    private ArtifactService(Vertx vertx, ArtifactStore store) {
        this.vertx = vertx;
        this.store = store;
    }

    public static Address<ArtifactRequest<?>> address(EventBus bus) {
        return new Address<>(
                bus,
                ADDRESS,
                () -> new Failure(FailureCode.TASK_NOT_READY, "The server shuts down; its artifacts are closed"));
    }

    /** Completes when requests are answered. */
    public static Future<Void> serve(Vertx vertx, ArtifactStore store) {
        return Service.serve(vertx.eventBus(), ADDRESS, new ArtifactService(vertx, store));
    }

    @Override
    public Future<?> answer(ArtifactRequest<?> request) {
        return switch (request) {
            case ArtifactRequest.Seal ended ->
                Service.onWorker(vertx, () -> store.seal(ended)).compose(end -> end);
            case ArtifactRequest.Store given ->
                Service.onWorker(vertx, () -> store.store(given.bytes())).compose(end -> end);
            case ArtifactRequest.Find wanted -> find(wanted.recorded());
            case ArtifactRequest.FindByDigest wanted ->
                Service.onWorker(
                        vertx, () -> store.findByDigest(wanted.digest()).orElse(null));
            case ArtifactRequest.ReadText wanted -> Service.onWorker(vertx, () -> read(wanted));
            case ArtifactRequest.Delete unwanted ->
                Service.onWorker(vertx, () -> {
                    store.delete(unwanted.artifactId(), unwanted.deletion());
                    return null;
                });
        };
    }

    private Future<RecordedBytes> find(Recorded recorded) {
        Artifact known = store.known(recorded.artifactId());
        return known != null
                ? Future.succeededFuture(RecordedBytes.of(known, recorded.bytes()))
                : Service.onWorker(vertx, () -> found(recorded));
    }

    private RecordedBytes found(Recorded recorded) {
        String id = recorded.artifactId();
        Artifact found = store.findOrNull(id);
        if (found == null) {
            Deletion deletion = store.deletion(id);
            if (deletion != null) {
                throw new ArtifactDeleted(id, deletion);
            }
            if (!recorded.empty()) {
                throw Artifact.notFound(id);
            }
            found = store.nothing(id);
        }
        return RecordedBytes.of(found, recorded.bytes());
    }

    private TextPage read(ArtifactRequest.ReadText wanted) throws IOException {
        RecordedBytes found = found(wanted.recorded());
        return new TextPage(
                found.text(wanted.offset(), wanted.maxBytes()),
                found.length(),
                found.artifact().missingBefore(found.length()),
                found.artifact().firstByte());
    }
}
