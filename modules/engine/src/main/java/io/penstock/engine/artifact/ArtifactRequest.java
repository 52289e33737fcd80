package io.penstock.engine.artifact;

import io.penstock.engine.address.Request;
import io.penstock.engine.artifact.file.Deletion;
import io.penstock.engine.artifact.text.TextRange;
import org.jspecify.annotations.Nullable;

/** A request to the address of a node's artifacts. Bytes of outputs do not come this way: they go to an {@link ArtifactWriter}. */
public sealed interface ArtifactRequest<A extends @Nullable Object> extends Request<ArtifactRequest<?>, A> {

    /**
     * An artifact that a task has recorded.
     *
     * @param bytes the number of recorded bytes that are stored, beyond which readers must not read
     * @param empty whether nothing was written to it, so that it may have no file
     */
    record Recorded(String artifactId, long bytes, boolean empty) {

        /** One that belongs to no task: all of it. */
        public static Recorded whole(String artifactId) {
            return new Recorded(artifactId, Long.MAX_VALUE, false);
        }
    }

    /**
     * Seals an artifact whose writer has ended it. Answered once the digest is computed.
     *
     * @param failed whether a write has failed, which may have left bytes behind the end
     */
    record Seal(String artifactId, boolean failed) implements ArtifactRequest<Sealed> {}

    /** Stores bytes that belong to no task, under an id made of their digest. */
    record Store(byte[] bytes) implements ArtifactRequest<Sealed> {}

    /** Finds an artifact to read from. Fails with {@link ArtifactDeleted} if there is a note about its deletion. */
    record Find(Recorded recorded) implements ArtifactRequest<RecordedBytes> {}

    /** Finds the id of an artifact by its digest; null if there is none. */
    record FindByDigest(String digest) implements ArtifactRequest<@Nullable String> {}

    /** Reads text of whole characters, from about this offset; fails as {@link Find}. */
    record ReadText(Recorded recorded, long offset, int maxBytes) implements ArtifactRequest<TextPage> {}

    /** Deletes an artifact that does not grow, and notes who did. */
    record Delete(String artifactId, Deletion deletion) implements ArtifactRequest<@Nullable Void> {}

    /**
     * A range of an artifact as text.
     *
     * @param storedBytes the offset at which the stored bytes end
     * @param missingBytes the bytes before it that were not stored
     * @param firstOffset the offset of the first byte that has not been trimmed
     */
    record TextPage(TextRange text, long storedBytes, long missingBytes, long firstOffset) {}
}
