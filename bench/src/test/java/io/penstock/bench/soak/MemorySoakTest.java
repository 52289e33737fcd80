package io.penstock.bench.soak;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The short form of {@code ./penstock soak memory}. */
@Tag("server")
class MemorySoakTest {

    @Test
    void serverWithASmallHeapSurvivesManyLargeAnswers() {
        assertDoesNotThrow(() -> new MemorySoak(System.out, 1, 4).run());
    }
}
