package io.penstock.engine.artifact;

import io.penstock.engine.artifact.text.Gap;
import io.penstock.engine.artifact.text.LineMark;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import java.util.Map;

/** Some of the bytes that were asked for are not there: given back to the disk, or never stored. */
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
        // What is left of the line that the first byte belongs to is no whole line.
        this.firstLine = to.newlines() + 2;
    }

    static BytesGone before(String artifactId, LineMark kept) {
        return new BytesGone(
                "Of the artifact " + artifactId + " only the newest bytes are kept, from offset " + kept.offset()
                        + " on; what was asked for begins before",
                LineMark.START,
                kept);
    }

    static BytesGone in(String artifactId, Gap gap) {
        return new BytesGone(
                "Of the artifact " + artifactId + " the bytes from offset "
                        + gap.from().offset() + " to "
                        + gap.to().offset()
                        + " were not stored, as its disk was full; what was asked for touches them",
                gap.from(),
                gap.to());
    }

    /** The first offset behind the missing bytes that is there. */
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
