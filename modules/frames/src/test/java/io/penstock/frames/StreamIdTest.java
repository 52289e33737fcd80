package io.penstock.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamIdTest {

    @ParameterizedTest
    @ValueSource(strings = {"a", "bg_0a1b2c3d", "9-:@.Z"})
    void idsOfHostsAreAccepted(String id) {
        assertEquals("task " + id, StreamId.task(id).toString());
    }

    /** Postgres cannot store U+0000 in a text: such a name would never leave the journal. */
    @ParameterizedTest
    @ValueSource(strings = {"", "\0", "a\0", "a\n", "-a", "a b", "a/b", "é", "a\ud800"})
    void idsUnfitForFilesOrDatabaseAreRefused(String id) {
        var refusal = assertThrows(IllegalArgumentException.class, () -> StreamId.task(id));
        assertTrue(String.valueOf(refusal.getMessage()).startsWith("A stream id starts with"), refusal::getMessage);
    }
}
