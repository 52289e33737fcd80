package io.penstock.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TaskLabelTest {

    @ParameterizedTest
    @ValueSource(strings = {"drokova-research", "code-review-pr-42", "7", "build:main_2.1@ci"})
    void commonLabelsAreAccepted(String text) {
        assertEquals(text, new TaskLabel(text).toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "two words",
                "-f",
                ".hidden",
                "a/b",
                "100%",
                "a'b",
                "a\"b",
                "a\n",
                "\0",
                "Müller",
                "код",
                "a\ud800"
            })
    void labelsThatNeedQuotingAreRefused(String text) {
        var refusal = assertThrows(IllegalArgumentException.class, () -> new TaskLabel(text));
        assertTrue(String.valueOf(refusal.getMessage()).startsWith("A label starts with"), refusal::getMessage);
    }

    @Test
    void labelLengthIsLimited() {
        assertEquals(
                Limits.LABEL_CHARS,
                new TaskLabel("x".repeat(Limits.LABEL_CHARS)).text().length());
        var refusal = assertThrows(IllegalArgumentException.class, () -> new TaskLabel("x".repeat(10_000)));
        assertEquals("A label has at most 64 characters, this one has 10000", refusal.getMessage());
    }
}
