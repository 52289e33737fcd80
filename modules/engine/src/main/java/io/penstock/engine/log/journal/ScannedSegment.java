package io.penstock.engine.log.journal;

/** A segment file in the chain of records, and how far its records reach. */
record ScannedSegment(FoundSegment segment, SegmentScan scan) {}
