package io.penstock.engine.artifact;

import io.penstock.engine.artifact.file.Gaps;
import io.penstock.engine.artifact.text.LineMark;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The state of an artifact's bytes; one implementation for each place that the state is read from. */
sealed interface ArtifactContent permits GrowingArtifact, SealFile, UnsealedFile, EmptyArtifact {

    /** The number of completely written bytes; it never decreases. */
    long storedBytes();

    @Nullable
    Sealed sealed();

    /** The first byte that is still stored, with the line feeds before it: the start, unless the artifact keeps its tail. */
    LineMark kept();

    /** The ranges behind the first kept byte that were never stored. */
    Gaps gaps();

    /** The nearest known mark before the n-th line feed. */
    LineMark before(long n) throws IOException;

    /** The furthest mark up to which line feeds are counted. */
    LineMark counted();
}
