package io.penstock.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class WholeCharactersTest {

    private static final String FACE = "\ud83d\ude00";

    @Test
    void aPairIsKeptOrLeftOutAsAWhole() {
        String text = "a" + FACE + "b";
        assertEquals("", WholeCharacters.beginning(text, 0));
        assertEquals("a", WholeCharacters.beginning(text, 1));
        assertEquals("a", WholeCharacters.beginning(text, 2));
        assertEquals("a" + FACE, WholeCharacters.beginning(text, 3));
        assertEquals(text, WholeCharacters.beginning(text, 4));
        assertEquals("", WholeCharacters.end(text, 0));
        assertEquals("b", WholeCharacters.end(text, 1));
        assertEquals("b", WholeCharacters.end(text, 2));
        assertEquals(FACE + "b", WholeCharacters.end(text, 3));
        assertEquals(text, WholeCharacters.end(text, 9));
        assertEquals("a…", WholeCharacters.fitting(text, 3));
        assertEquals(text, WholeCharacters.fitting(text, 4));
    }

    @Test
    void aHalfThatWasGivenIsNotRemoved() {
        assertEquals("a\ud83d", WholeCharacters.beginning("a\ud83d\ud83d", 2));
        assertEquals("\ude00", WholeCharacters.end("\ude00\ude00", 1));
    }

    @Test
    void everyCutOfWholeTextIsWholeAndAsLongAsItCanBe() {
        var random = new Random(11);
        for (int round = 0; round < 500; round++) {
            var text = new StringBuilder();
            random.ints(random.nextInt(12), 0, 3)
                    .forEach(kind -> text.append(kind == 0 ? "x" : kind == 1 ? "\u00e4" : FACE));
            String whole = text.toString();
            for (int units = 1; units <= whole.length() + 1; units++) {
                check(WholeCharacters.beginning(whole, units), Math.min(units, whole.length()));
                check(WholeCharacters.end(whole, units), Math.min(units, whole.length()));
                check(WholeCharacters.fitting(whole, units), Math.min(units, whole.length()));
                assertTrue(whole.startsWith(WholeCharacters.beginning(whole, units)));
                assertTrue(whole.endsWith(WholeCharacters.end(whole, units)));
            }
        }
    }

    private static void check(String cut, int mostUnits) {
        assertTrue(cut.length() == mostUnits || cut.length() == mostUnits - 1, cut);
        assertEquals(cut, Checks.wellFormed(cut));
    }
}
