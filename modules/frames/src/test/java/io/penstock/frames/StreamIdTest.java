package io.penstock.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamIdTest {

    @ParameterizedTest
    @ValueSource(strings = {"a", "bg_0a1b2c3d", "9-:@.Z"})
    void namesThatHostsMakeUpAreTaken(String id) {
        assertEquals("task " + id, StreamId.task(id).toString());
    }

    /** Postgres has no text with U+0000 in it: such a name would never leave the journal. */
    @ParameterizedTest
    @ValueSource(strings = {"", "\0", "a\0", "a\n", "-a", "a b", "a/b", "é", "a\ud800"})
    void whatNoFileNameOrDatabaseTakesIsRefused(String id) {
        var refusal = assertThrows(IllegalArgumentException.class, () -> StreamId.task(id));
        assertTrue(String.valueOf(refusal.getMessage()).startsWith("A stream id starts with"), refusal::getMessage);
    }
}
