package io.penstock.engine.artifact;

import io.penstock.engine.artifact.text.Gap;
import io.penstock.engine.artifact.text.LineMark;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import java.util.Map;

/** Some of the requested bytes were removed, or were never stored. */
public final class BytesGone extends Failure {

    private static final long serialVersionUID = 1L;

    private final long missing;
    private final long missingLine;
    private final long first;
    private final long firstLine;

    private BytesGone(String message, LineMark from, LineMark to) {
        super(FailureCode.ARTIFACT_GONE, message);
        this.missing = from.offset();
        this.missingLine = from.newlines() + 1;
        this.first = to.offset();
        // The rest of the line that contains the first byte is not a whole line.
        this.firstLine = to.newlines() + 2;
    }

    static BytesGone before(String artifactId, LineMark kept) {
        return new BytesGone(
                "The artifact " + artifactId + " keeps only its newest bytes, from offset " + kept.offset()
                        + " on; the request begins before that",
                LineMark.START,
                kept);
    }

    static BytesGone in(String artifactId, Gap gap) {
        return new BytesGone(
                "The bytes from offset " + gap.from().offset() + " to "
                        + gap.to().offset() + " of the artifact " + artifactId
                        + " were not stored, because the disk was full; the request contains some of them",
                gap.from(),
                gap.to());
    }

    /** The first stored offset behind the missing bytes. */
    public long first() {
        return first;
    }

    @Override
    public Map<String, String> details() {
        return Map.of(
                "missing_offset_bytes", String.valueOf(missing),
                "missing_line", String.valueOf(missingLine),
                "first_offset_bytes", String.valueOf(first),
                "first_line", String.valueOf(firstLine));
    }
}
