package io.penstock.engine.artifact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.artifact.file.PinnedTasks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which tasks' outputs are kept while their pins change. */
class PinnedTasksTest {

    @TempDir
    Path folder;

    private PinnedTasks pinned;

    @BeforeEach
    void open() {
        pinned = new PinnedTasks(folder.resolve("pinned"));
    }

    private void pin(String task) throws IOException {
        pinned.begin(task, true);
        assertTrue(pinned.end(task, true));
    }

    /** As the next server reads it. */
    private Set<String> stored() {
        Set<String> known = new PinnedTasks(folder.resolve("pinned")).all();
        assertEquals(pinned.all(), known);
        return known;
    }

    @Test
    void refusedPinEndsAtOnceAndARecordedOneStays() throws Exception {
        pin("kept");
        pinned.begin("refused", true);
        assertEquals(Set.of("kept", "refused"), stored());
        assertTrue(pinned.end("refused", false));
        assertEquals(Set.of("kept"), stored());
    }

    @Test
    void overlappingChangesDecideNothing() throws Exception {
        pinned.begin("t", true);
        pinned.begin("t", false);
        assertTrue(pinned.end("t", true), "the other one decides");
        assertFalse(pinned.end("t", false), "its state may be from before the other one");
        assertEquals(Set.of("t"), stored());
        pinned.begin("t", false);
        assertTrue(pinned.end("t", false));
        assertEquals(Set.of(), stored());
    }

    @Test
    void pinsThatBeginWhileTheLedgerIsReadStay() throws Exception {
        pin("gone");
        pin("listed");
        pinned.begin("in-progress", true);
        Set<String> before = pinned.all();
        pin("later");
        pinned.replace(before, Set.of("listed"));
        assertEquals(Set.of("listed", "in-progress", "later"), stored());
    }
}
