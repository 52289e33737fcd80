package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Frame;
import io.penstock.frames.StreamId;
import io.penstock.frames.ToolTaskStatus;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The changes of a list that its client has not received yet. */
class ChangedTasksTest {

    private final ChangedTasks changes = new ChangedTasks();

    @Test
    void changesAreTakenOnceAndInPieces() {
        ChangedTasks.Follower follower = Objects.requireNonNull(changes.follow(1, 10));
        starts("a");
        starts("b");
        starts("b");
        Map<String, Boolean> first = follower.take(1);
        Map<String, Boolean> second = follower.take(10);
        assertEquals(1, first.size());
        assertEquals(1, second.size());
        assertFalse(first.equals(second));
        assertEquals(Map.of(), follower.take(10));
    }

    @Test
    void slowClientIsToldOnceToReadAgain() {
        ChangedTasks.Follower follower = Objects.requireNonNull(changes.follow(1, 2));
        for (String task : new String[] {"a", "b", "c", "d"}) {
            starts(task);
        }
        assertTrue(follower.takeBehind());
        assertFalse(follower.takeBehind());
        assertEquals(Map.of(), follower.take(10));
        starts("e");
        assertEquals(Map.of("e", true), follower.take(10));
    }

    @Test
    void onlySoManyListsAreFollowed() {
        ChangedTasks.Follower follower = Objects.requireNonNull(changes.follow(1, 10));
        assertNull(changes.follow(1, 10));
        follower.stop();
        starts("a");
        assertEquals(Map.of(), follower.take(10));
        Objects.requireNonNull(changes.follow(1, 10));
    }

    private void starts(String task) {
        StreamId stream = StreamId.task(task);
        changes.of(stream).accepted(new Frame(stream, 2, 20, ToolTaskStatus.running(20)));
    }
}
