package io.penstock.engine.view;

import io.penstock.engine.artifact.Artifact;
import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.artifact.Sealed;
import io.penstock.engine.artifact.StoredArtifacts;
import io.penstock.engine.artifact.file.Deletion;
import io.penstock.engine.artifact.text.TextRange;
import io.penstock.engine.task.record.TaskSentences;
import io.penstock.frames.Channel;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.LogRef;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the recorded output of tasks. A file may have more bytes, which no reader may see before they are recorded. */
public final class OutputReads {

    /** Failures to find a task or its channel that mean, for an artifact's id, that there is no such artifact. */
    private static final Set<FailureCode> NO_ARTIFACT = Set.of(FailureCode.TASK_NOT_FOUND, FailureCode.INVALID_REQUEST);

    private static final String BY_DIGEST = "sha256:";

    private final Vertx vertx;
    private final ArtifactStore artifacts;
    private final Function<String, Future<TaskState>> states;

    /** @param states reads the state of a task by its id */
    public OutputReads(Vertx vertx, ArtifactStore artifacts, Function<String, Future<TaskState>> states) {
        this.vertx = vertx;
        this.artifacts = artifacts;
        this.states = states;
    }

    public Future<OutputSlice> text(String taskId, TaskState state, Channel channel, long offset, int maxBytes) {
        LogRef log = log(taskId, state, channel);
        return vertx.executeBlocking(() -> {
                    Artifact artifact = find(taskId, state, log);
                    TextRange text = RecordedBytes.of(artifact, state.output().stored(channel))
                            .text(offset, maxBytes);
                    // A gap at the end is recorded, but has no bytes.
                    long stored = Math.min(state.output().stored(channel), artifact.storedBytes());
                    long total = state.output().total(channel);
                    long missing = total - stored + artifact.missingBefore(stored);
                    return new OutputSlice(log, text, stored, missing, artifact.firstByte());
                })
                .map(Objects::requireNonNull);
    }

    /** The bytes of an output that are recorded now. */
    public Future<RecordedBytes> bytes(String taskId, Channel channel) {
        return states.apply(taskId).compose(state -> {
            LogRef log = log(taskId, state, channel);
            long recorded = state.output().stored(channel);
            Artifact known = artifacts.known(log.artifactId());
            return known != null
                    ? Future.succeededFuture(RecordedBytes.of(known, recorded))
                    : vertx.executeBlocking(() -> RecordedBytes.of(find(taskId, state, log), recorded));
        });
    }

    private Artifact find(String taskId, TaskState state, LogRef log) {
        try {
            return artifacts.find(log.artifactId());
        } catch (Failure e) {
            Deletion deletion =
                    e.code() == FailureCode.ARTIFACT_NOT_FOUND ? artifacts.deletion(log.artifactId()) : null;
            if (deletion != null) {
                throw new Failure(FailureCode.ARTIFACT_GONE, TaskSentences.deleted(taskId, log.channel(), deletion), e);
            }
            if (e.code() == FailureCode.ARTIFACT_NOT_FOUND && state.output().total(log.channel()) == 0) {
                return artifacts.nothing(log.artifactId());
            }
            throw e.code() == FailureCode.ARTIFACT_NOT_FOUND
                    ? new Failure(FailureCode.ARTIFACT_GONE, TaskSentences.removed(taskId, state, log.channel()), e)
                    : e;
        }
    }

    /** Deletes an output of an ended task; does nothing if it has been deleted or removed before. */
    public Future<Void> delete(String taskId, Channel channel, Deletion deletion) {
        return states.apply(taskId).compose(state -> {
            LogRef log = log(taskId, state, channel);
            if (state.run().ending() == null) {
                throw new Failure(
                        FailureCode.TASK_NOT_READY,
                        "The task " + taskId + " has not ended, and its outputs can be deleted only after its end;"
                                + " try again then, or stop it");
            }
            return vertx.<Void>executeBlocking(() -> {
                artifacts.delete(log.artifactId(), deletion);
                return null;
            });
        });
    }

    /** The recorded bytes of an artifact, found by its id or its digest. */
    public Future<RecordedBytes> artifact(String artifactId) {
        if (artifactId.startsWith(BY_DIGEST)) {
            return vertx.executeBlocking(() -> artifacts.findByDigest(artifactId))
                    .map(Objects::requireNonNull)
                    .compose(found -> found.map(this::artifact)
                            .orElseGet(() -> Future.failedFuture(noArtifact(artifactId, null))));
        }
        if (StoredArtifacts.isId(artifactId)) {
            return vertx.executeBlocking(() -> stored(artifactId)).map(Objects::requireNonNull);
        }
        for (Channel channel : Channel.values()) {
            String suffix = "." + channel.wireName();
            if (artifactId.endsWith(suffix)) {
                return ofTask(artifactId, artifactId.substring(0, artifactId.length() - suffix.length()), channel);
            }
        }
        return Future.failedFuture(noArtifact(artifactId, null));
    }

    /** Of one that belongs to no task: all of it, once it is sealed. */
    private RecordedBytes stored(String artifactId) {
        Artifact artifact = artifacts.findOrNull(artifactId);
        Sealed sealed = artifact == null ? null : artifact.sealed();
        if (artifact == null || sealed == null) {
            Deletion removal = artifacts.deletion(artifactId);
            throw removal == null
                    ? noArtifact(artifactId, null)
                    : new Failure(
                            FailureCode.ARTIFACT_GONE,
                            "The artifact " + artifactId + " was removed at " + removal.at()
                                    + ", as artifacts are kept for a time only; store it again");
        }
        return RecordedBytes.of(artifact, sealed.bytes());
    }

    private Future<RecordedBytes> ofTask(String artifactId, String taskId, Channel channel) {
        try {
            return bytes(taskId, channel)
                    .recover(e -> Future.failedFuture(
                            e instanceof Failure failure && NO_ARTIFACT.contains(failure.code())
                                    ? noArtifact(artifactId, e)
                                    : e));
        } catch (Failure e) {
            return Future.failedFuture(noArtifact(artifactId, e));
        }
    }

    private static Failure noArtifact(String artifactId, @Nullable Throwable cause) {
        return new Failure(
                FailureCode.ARTIFACT_NOT_FOUND,
                "There is no artifact \"" + artifactId + "\"; a task's status names those that it has",
                cause);
    }

    private static LogRef log(String taskId, TaskState state, Channel channel) {
        ToolTaskSpawned spec = state.spec();
        if (spec == null || !spec.executionMode().channels().contains(channel)) {
            throw new Failure(
                    FailureCode.INVALID_REQUEST,
                    "The task " + taskId + " has no output " + channel.wireName()
                            + (spec == null
                                    ? ""
                                    : "; in mode " + spec.executionMode().wireName() + " it has "
                                            + spec.executionMode().channels().stream()
                                                    .map(Channel::wireName)
                                                    .toList()));
        }
        return spec.log(channel);
    }
}
