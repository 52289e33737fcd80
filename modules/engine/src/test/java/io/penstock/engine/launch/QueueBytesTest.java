package io.penstock.engine.launch;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("BOUNDED")
class QueueBytesTest {

    private static final long QUARTER = Limits.QUEUE_BYTES / 4;

    private final QueueBytes queue = new QueueBytes();

    @Test
    void wholeQueueHasLimit() {
        for (int i = 0; i < 4; i++) {
            queue.reserve("task-" + i, "session-" + i, QUARTER);
        }
        assertEquals(
                FailureCode.QUOTA_EXCEEDED,
                assertThrows(Failure.class, () -> queue.reserve("more", null, 1))
                        .code());
        queue.release("task-0");
        queue.reserve("more", null, QUARTER);
    }

    @Test
    void spawnsWithoutSessionHaveOnlyWholeLimit() {
        queue.reserve("large", null, Limits.QUEUE_BYTES);
        assertThrows(Failure.class, () -> queue.reserve("more", null, 1));
    }

    @Test
    void acceptedSpawnIsCountedBeyondLimit() {
        queue.add("accepted", "session", Limits.QUEUE_BYTES + 1);
        assertThrows(Failure.class, () -> queue.reserve("more", "other", 1));
        queue.release("accepted");
        assertDoesNotThrow(() -> queue.reserve("more", "session", 1));
    }

    @Test
    void fileOfEarlierServerCountsForItsSession() {
        queue.add("left", null, Limits.QUEUE_SESSION_BYTES);
        queue.assignSession("left", "session");
        assertThrows(Failure.class, () -> queue.reserve("more", "session", 1));
        queue.release("left");
        queue.release("left");
        queue.reserve("more", "session", Limits.QUEUE_SESSION_BYTES);
    }
}
