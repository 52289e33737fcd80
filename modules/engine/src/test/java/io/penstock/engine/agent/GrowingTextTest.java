package io.penstock.engine.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

class GrowingTextTest {

    private final GrowingText text = new GrowingText();

    @Test
    void onlyTheNewPartIsReported() {
        assertEquals("a", text.next("a"));
        assertEquals("bc", text.next("abc"));
        assertEquals("", text.next("abc"));
        assertEquals("", text.next(""));
        assertEquals("d", text.next("abcd"));
    }

    @Test
    void aReplacedTextIsOnALineOfItsOwn() {
        assertEquals("1 of 9", text.next("1 of 9"));
        assertEquals("\n2 of 9", text.next("2 of 9"));
        assertEquals(" files", text.next("2 of 9 files"));
    }

    @Test
    void aTextWhoseBeginningIsCutOffStillGrows() {
        var random = new Random(5);
        var whole = new StringBuilder();
        var reported = new StringBuilder();
        for (int i = 0; i < 200; i++) {
            whole.append("line ").append(random.nextInt()).append('\n');
            reported.append(text.next(whole.substring(Math.max(0, whole.length() - 1000))));
        }
        assertEquals(whole.toString(), reported.toString());
    }

    @Test
    void halvesOfACharacterWaitForEachOther() {
        assertEquals("a", text.next("a\ud83d"));
        assertEquals("\ud83d\ude00", text.next("a\ud83d\ude00"));
    }
}
