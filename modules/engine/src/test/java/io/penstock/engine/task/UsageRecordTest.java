package io.penstock.engine.task;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.TaskResourceUsage;
import org.junit.jupiter.api.Test;

class UsageRecordTest {

    private static final long MIB = 1 << 20;
    private static final TaskResourceUsage BEFORE = new TaskResourceUsage(60_000, 100, 2_000, 50 * MIB, 80 * MIB, 2);

    @Test
    void aSampleThatDiffersByATenthIsRecorded() {
        assertTrue(UsageRecord.isNews(BEFORE, new TaskResourceUsage(60_000, 111, 2_000, 50 * MIB, 80 * MIB, 2)));
        assertTrue(UsageRecord.isNews(BEFORE, new TaskResourceUsage(67_000, 100, 2_000, 50 * MIB, 80 * MIB, 2)));
        assertTrue(UsageRecord.isNews(BEFORE, new TaskResourceUsage(60_000, 100, 2_000, 44 * MIB, 80 * MIB, 2)));
        assertTrue(UsageRecord.isNews(BEFORE, new TaskResourceUsage(60_000, 100, 2_000, 50 * MIB, 89 * MIB, 2)));
    }

    @Test
    void aSampleThatDiffersLessIsNotRecorded() {
        assertFalse(UsageRecord.isNews(BEFORE, new TaskResourceUsage(65_000, 95, 9_000, 54 * MIB, 87 * MIB, 7)));
        var idle = new TaskResourceUsage(20, 0, 2_000, MIB, MIB, 1);
        assertFalse(UsageRecord.isNews(idle, new TaskResourceUsage(900, 2, 2_000, 2 * MIB, 2 * MIB, 1)));
    }
}
