package io.penstock.engine.artifact;

import io.penstock.engine.artifact.file.Gaps;
import io.penstock.engine.artifact.text.LineMark;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What is known of an artifact's bytes, by where the knowledge comes from. */
sealed interface ArtifactContent permits GrowingArtifact, SealFile, UnsealedFile, EmptyArtifact {

    /** Only what is completely written; never becomes less. */
    long storedBytes();

    @Nullable
    Sealed sealed();

    /** From where on bytes are kept, with the line feeds in front of it: the start, unless it keeps only its tail. */
    LineMark kept();

    /** Where bytes behind the first that is kept are missing. */
    Gaps gaps();

    /** A place in front of the n-th line feed, and as near to it as is known. */
    LineMark before(long n) throws IOException;

    /** The furthest place up to which line feeds are counted. */
    LineMark counted();
}
