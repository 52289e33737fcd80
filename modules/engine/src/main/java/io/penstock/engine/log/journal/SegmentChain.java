package io.penstock.engine.log.journal;

import static io.penstock.engine.log.journal.RecordFormat.ALIGNMENT;
import static io.penstock.engine.log.journal.RecordFormat.bytesInFile;

import io.penstock.engine.log.journal.SegmentScan.Ending;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Classifies the files found: those through which the records continue unbroken from the drained position, those with
 * records beyond a break, and those that are no longer needed.
 */
final class SegmentChain {
    private final List<ScannedSegment> kept = new ArrayList<>();
    private final List<FoundSegment> beyond = new ArrayList<>();
    private final List<FoundSegment> useless = new ArrayList<>();
    private final List<String> sentences = new ArrayList<>();
    private final long drained;
    private boolean broken;
    private boolean followerMissing;

    private SegmentChain(long drained) {
        this.drained = drained;
    }

    static SegmentChain of(List<FoundSegment> found, long drained, int maxRecordBytes) {
        SegmentChain chain = new SegmentChain(drained);
        for (FoundSegment segment : found) {
            chain.add(segment);
        }
        chain.checkEnd(found, maxRecordBytes);
        return chain;
    }

    List<ScannedSegment> kept() {
        return kept;
    }

    @Nullable
    ScannedSegment last() {
        return kept.isEmpty() ? null : kept.getLast();
    }

    /** Segments after a break: they are neither read nor deleted. */
    List<FoundSegment> beyond() {
        return beyond;
    }

    List<FoundSegment> useless() {
        return useless;
    }

    List<String> sentences() {
        return sentences;
    }

    /** After a loss, so that no position is reused. */
    boolean continuesInNewSegment() {
        return broken;
    }

    boolean followerMissing() {
        return followerMissing;
    }

    private void add(FoundSegment segment) {
        if (segment.end() <= drained) {
            (segment.header() != null || segment.blank() ? useless : beyond).add(segment);
        } else if (segment.header() == null) {
            addWithoutHeader(segment);
        } else if (broken) {
            (segment.blank() ? useless : beyond).add(segment);
        } else if (kept.isEmpty()) {
            addFirst(segment);
        } else {
            addNext(kept.getLast(), segment);
        }
    }

    private void addWithoutHeader(FoundSegment segment) {
        if (segment.blank()) {
            useless.add(segment);
        } else {
            sentences.add("The segment " + segment.file().getFileName() + " has no readable header.");
            broken = true;
            beyond.add(segment);
        }
    }

    private void addFirst(FoundSegment segment) {
        long follows = segment.follows() >= 0 ? segment.follows() : segment.base();
        if (drained < follows) {
            sentences.add("The journal begins at position " + follows + ", but only what is below " + drained
                    + " has been drained: the segments between are missing.");
        }
        if (drained <= segment.firstPosition()) {
            include(segment, segment.firstPosition());
            return;
        }
        long walked = SegmentScan.walk(segment.bytes(), segment.base(), drained);
        if (walked == drained) {
            include(segment, drained);
            return;
        }
        // Either the records end before the drained position, or a drained record is damaged, which does no harm.
        SegmentScan scan = drained % ALIGNMENT == 0
                ? SegmentScan.of(segment.bytes(), segment.base(), drained)
                : new SegmentScan(drained, drained, Ending.OPEN, drained);
        if (!scan.empty() || scan.ending() == Ending.CLOSED) {
            sentences.add("The segment " + segment.file().getFileName() + " is damaged at position " + walked
                    + ", below what has been drained: nothing is lost.");
            include(segment, drained);
            return;
        }
        sentences.add("The journal's records end at position " + walked + ", but the database already has all below "
                + drained + ": the journal continues after that.");
        broken = true;
        (scan.leftover() == 0 ? useless : beyond).add(segment);
    }

    private void addNext(ScannedSegment before, FoundSegment segment) {
        long end = before.scan().end();
        boolean closed = before.scan().ending() == Ending.CLOSED;
        if (segment.follows() == end) {
            if (!closed && end < before.segment().end()) {
                sentences.add("The mark that closes the segment "
                        + before.segment().file().getFileName() + " was lost and has been written again.");
                kept.set(
                        kept.size() - 1,
                        new ScannedSegment(
                                before.segment(), new SegmentScan(before.scan().start(), end, Ending.CLOSED, end)));
            }
            include(segment, segment.firstPosition());
        } else if (closed
                && segment.follows() < 0
                && segment.base() == before.segment().end()) {
            include(segment, segment.firstPosition());
        } else if (segment.blank()) {
            useless.add(segment);
        } else {
            broken = true;
            beyond.add(segment);
            sentences.add("The journal's records break off at position " + end + ": the segment "
                    + segment.file().getFileName() + " does not follow on it.");
        }
    }

    private void include(FoundSegment segment, long from) {
        kept.add(new ScannedSegment(segment, SegmentScan.of(segment.bytes(), segment.base(), from)));
        if (segment.truncated()) {
            sentences.add("The segment " + segment.file().getFileName() + " has only "
                    + segment.bytes().byteSize() + " of its " + (segment.end() - segment.base()) + " bytes.");
        }
    }

    private void checkEnd(List<FoundSegment> found, int maxRecordBytes) {
        ScannedSegment last = last();
        if (last == null) {
            long highest = found.stream().mapToLong(FoundSegment::end).max().orElse(drained);
            if (!broken && highest < drained) {
                sentences.add(
                        "The journal ends before position " + highest + ", but the database already has all below "
                                + drained + ": the journal continues after that.");
            }
            return;
        }
        SegmentScan scan = last.scan();
        if (scan.ending() == Ending.CLOSED && !broken) {
            followerMissing = true;
            sentences.add("The segment that followed on position " + scan.end() + " is missing.");
        }
        // An append that a kill cut short was never accepted, so its place is free; anything else may have been
        // accepted.
        boolean unfinished = scan.ending() == Ending.OPEN && scan.leftover() <= bytesInFile(maxRecordBytes);
        broken |= followerMissing || !unfinished || last.segment().truncated();
    }
}
