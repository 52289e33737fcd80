package io.penstock.engine.view;

import io.penstock.engine.address.Address;
import io.penstock.engine.artifact.ArtifactDeleted;
import io.penstock.engine.artifact.ArtifactRequest;
import io.penstock.engine.artifact.ArtifactRequest.Recorded;
import io.penstock.engine.artifact.RecordedBytes;
import io.penstock.engine.artifact.StoredArtifacts;
import io.penstock.engine.artifact.file.Deletion;
import io.penstock.engine.task.record.TaskSentences;
import io.penstock.frames.Channel;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.LogRef;
import io.penstock.frames.OutputTotals;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Future;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the recorded output of tasks. A file may have more bytes, which no reader may see before they are recorded. */
public final class OutputReads {

    /** Failures to find a task or its channel that mean, for an artifact's id, that there is no such artifact. */
    private static final Set<FailureCode> NO_ARTIFACT = Set.of(FailureCode.TASK_NOT_FOUND, FailureCode.INVALID_REQUEST);

    private static final String BY_DIGEST = "sha256:";

    private final Address<ArtifactRequest<?>> artifacts;
    private final Function<String, Future<TaskState>> states;

    /** @param states reads the state of a task by its id */
    public OutputReads(Address<ArtifactRequest<?>> artifacts, Function<String, Future<TaskState>> states) {
        this.artifacts = artifacts;
        this.states = states;
    }

    public Future<OutputSlice> text(String taskId, TaskState state, Channel channel, long offset, int maxBytes) {
        LogRef log = log(taskId, state, channel);
        return artifacts
                .request(new ArtifactRequest.ReadText(recorded(state, log), offset, maxBytes))
                .recover(e -> Future.failedFuture(explained(e, taskId, state, channel)))
                .map(page -> {
                    // A gap at the end is recorded, but has no bytes.
                    long missing = state.output().total(channel) - page.storedBytes() + page.missingBytes();
                    return new OutputSlice(log, page.text(), page.storedBytes(), missing, page.firstOffset());
                });
    }

    /** The bytes of an output that are recorded now. */
    public Future<RecordedBytes> bytes(String taskId, Channel channel) {
        return states.apply(taskId)
                .compose(state -> artifacts
                        .request(new ArtifactRequest.Find(recorded(state, log(taskId, state, channel))))
                        .recover(e -> Future.failedFuture(explained(e, taskId, state, channel))));
    }

    private static Recorded recorded(TaskState state, LogRef log) {
        OutputTotals output = state.output();
        return new Recorded(log.artifactId(), output.stored(log.channel()), output.total(log.channel()) == 0);
    }

    private static Throwable explained(Throwable why, String taskId, TaskState state, Channel channel) {
        if (why instanceof ArtifactDeleted gone) {
            return new Failure(FailureCode.ARTIFACT_GONE, TaskSentences.deleted(taskId, channel, gone.deletion()), why);
        }
        return why instanceof Failure failure && failure.code() == FailureCode.ARTIFACT_NOT_FOUND
                ? new Failure(FailureCode.ARTIFACT_GONE, TaskSentences.removed(taskId, state, channel), why)
                : why;
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
            return artifacts
                    .<@Nullable Void>request(new ArtifactRequest.Delete(log.artifactId(), deletion))
                    .mapEmpty();
        });
    }

    /** The recorded bytes of an artifact, found by its id or its digest. */
    public Future<RecordedBytes> artifact(String artifactId) {
        if (artifactId.startsWith(BY_DIGEST)) {
            return artifacts
                    .<@Nullable String>request(new ArtifactRequest.FindByDigest(artifactId))
                    .compose(found ->
                            found == null ? Future.failedFuture(noArtifact(artifactId, null)) : artifact(found));
        }
        if (StoredArtifacts.isId(artifactId)) {
            return stored(artifactId);
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
    private Future<RecordedBytes> stored(String artifactId) {
        return artifacts
                .request(new ArtifactRequest.Find(Recorded.whole(artifactId)))
                .recover(e -> Future.failedFuture(
                        e instanceof ArtifactDeleted gone
                                ? new Failure(
                                        FailureCode.ARTIFACT_GONE,
                                        "The artifact " + artifactId + " was removed at "
                                                + gone.deletion().at()
                                                + ", as artifacts are kept for a time only; store it again",
                                        e)
                                : e instanceof Failure failure && failure.code() == FailureCode.ARTIFACT_NOT_FOUND
                                        ? noArtifact(artifactId, e)
                                        : e))
                .compose(found -> found.digest() == null
                        ? Future.failedFuture(noArtifact(artifactId, null))
                        : Future.succeededFuture(found));
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
