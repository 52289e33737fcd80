package io.penstock.engine.artifact;

import io.penstock.engine.artifact.file.Deletion;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;

/** The artifact is gone, and a note says when and who deleted it. */
public final class ArtifactDeleted extends Failure {

    private static final long serialVersionUID = 1L;

    private final transient Deletion deletion;

    ArtifactDeleted(String artifactId, Deletion deletion) {
        super(
                FailureCode.ARTIFACT_GONE,
                "The artifact " + artifactId + " was deleted at " + deletion.at() + " by " + deletion.by());
        this.deletion = deletion;
    }

    public Deletion deletion() {
        return deletion;
    }
}
