package io.penstock.engine.artifact;

import io.penstock.engine.artifact.file.Gaps;
import io.penstock.engine.artifact.text.LineMark;

/** An ended artifact without a byte. */
record EmptyArtifact(Sealed sealed) implements ArtifactContent {

    private static final String DIGEST = SealFile.digestText(new GrowingArtifact("nothing").finishDigest());

    static EmptyArtifact of(String artifactId) {
        return new EmptyArtifact(new Sealed(artifactId, 0, DIGEST));
    }

    @Override
    public long storedBytes() {
        return 0;
    }

    @Override
    public LineMark kept() {
        return LineMark.START;
    }

    @Override
    public Gaps gaps() {
        return Gaps.NONE;
    }

    @Override
    public LineMark before(long n) {
        return LineMark.START;
    }

    @Override
    public LineMark counted() {
        return LineMark.START;
    }
}
