package io.penstock.engine.log.journal;

/** A segment file that the chain of records goes through, and how far. */
record ScannedSegment(FoundSegment segment, SegmentScan scan) {}
