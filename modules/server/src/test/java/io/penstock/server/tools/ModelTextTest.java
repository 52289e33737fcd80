package io.penstock.server.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a model reads of a program's output. */
class ModelTextTest {

    private static final String ESC = "\u001b";

    @Test
    void coloursAndTitlesAreRemoved() {
        assertEquals("red plain", ModelText.plain(ESC + "[1;31mred" + ESC + "[0m plain"));
        assertEquals("ab", ModelText.plain("a" + ESC + "]0;a window's title\u0007b"));
        assertEquals("ab", ModelText.plain("a" + ESC + "]8;;http://x" + ESC + "\\b"));
        assertEquals("ab", ModelText.plain("a" + ESC + "(Bb"));
        assertEquals("ab", ModelText.plain("a" + ESC + "=b" + ESC + ">"));
        assertEquals("ab", ModelText.plain("a\u009b31mb"));
    }

    @Test
    void sequenceWithoutEndHidesNothingBehindIt() {
        assertEquals("a0;title and more\nlines", ModelText.plain("a" + ESC + "]0;title and more\nlines"));
        assertEquals("a", ModelText.plain("a" + ESC + "[3"));
        assertEquals("a", ModelText.plain("a" + ESC));
    }

    @Test
    void rewrittenLineKeepsItsLastVersion() {
        assertEquals("100%\ndone\n", ModelText.plain("1%\r50%\r100%\ndone\n"));
        assertEquals("100%", ModelText.plain("1%\r50%\r100%\r"));
        assertEquals("a\nb\n", ModelText.plain("a\r\nb\r\n"));
        assertEquals("x", ModelText.plain("first" + ESC + "[2K\rx"));
    }

    @Test
    void backspaceTakesTheCharacterBeforeIt() {
        assertEquals("ac", ModelText.plain("ab\bc"));
        assertEquals("a\nb", ModelText.plain("a\n\b\bb"));
        assertEquals("ab", ModelText.plain("a😀\bb"));
    }

    @Test
    void otherControlCharactersAreRemoved() {
        assertEquals("a\tbc", ModelText.plain("a\tb\u0000\u0007\u007fc"));
    }

    @Test
    void shortTextStaysAsItIs() {
        assertEquals("x".repeat(1000), ModelText.bounded("x".repeat(1000), 1000, "There is no more."));
    }

    @Test
    void longTextKeepsBothEndsAndSaysWhatIsLeftOut() {
        String text = "head-" + "x".repeat(10_000) + "-tail";
        String shown = ModelText.bounded(text, 2000, "artifact_fetch reads all.");
        assertTrue(shown.length() <= 2000, () -> "characters: " + shown.length());
        assertTrue(shown.startsWith("head-x"));
        assertTrue(shown.endsWith("x-tail"));
        assertTrue(shown.contains("artifact_fetch reads all."));
        String left = shown.replaceAll("(?s).*… (\\d+) characters.*", "$1");
        int kept = shown.replaceAll("\\n\\[….*…]\\n", "").length();
        assertEquals(text.length() - kept, Integer.parseInt(left));
    }

    @Test
    void boundsNeverCutASurrogatePair() {
        var random = new Random(18);
        for (int round = 0; round < 300; round++) {
            String text = "a".repeat(random.nextInt(3)) + "😀".repeat(1000 + random.nextInt(50));
            for (String cut : new String[] {
                ModelText.bounded(text, 1000 + random.nextInt(100), "more"),
                ModelText.start(text, 1 + random.nextInt(50)),
                ModelText.end(text, 2 + random.nextInt(50))
            }) {
                assertFalse(hasHalf(cut), cut);
            }
        }
    }

    private static boolean hasHalf(String text) {
        return text.codePoints().anyMatch(c -> c >= 0xD800 && c <= 0xDFFF);
    }

    @Test
    void hostileTextTakesLinearTime() {
        String text = (ESC + "]x").repeat(500_000) + (ESC + "[1;2").repeat(500_000);
        assertTrue(ModelText.plain(text).length() <= 500_000);
    }
}
