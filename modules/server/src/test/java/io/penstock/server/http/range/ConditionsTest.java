package io.penstock.server.http.range;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.http.range.Conditions.ConditionResult;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9110, sections 8.8.3 and 13. */
class ConditionsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                // The examples of section 8.8.3.2: two tags, whether they are the same strongly, and weakly.
                "W/\"1\" | W/\"1\" | false | true",
                "W/\"1\" | W/\"2\" | false | false",
                "W/\"1\" | \"1\"   | false | true",
                "\"1\"   | \"1\"   | true  | true",
            })
    void tagsAreComparedAsTheRfcSays(String one, String other, boolean strongly, boolean weakly) {
        EntityTag a = EntityTag.one(one).getFirst();
        EntityTag b = EntityTag.one(other).getFirst();
        assertEquals(strongly, a.isStrongly(b));
        assertEquals(strongly, b.isStrongly(a));
        assertEquals(weakly, a.isWeakly(b));
        assertEquals(weakly, b.isWeakly(a));
        assertEquals(one, a.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "\"a\"            | NOT_MODIFIED",
                "W/\"a\"          | NOT_MODIFIED",
                "\"x\", \"a\"     | NOT_MODIFIED",
                "\"x\",,W/\"a\",  | NOT_MODIFIED",
                "*                | NOT_MODIFIED",
                "\"x\"            | ANSWER",
                "\"A\"            | ANSWER",
                "\"x,a\"          | ANSWER",
                "a                | ANSWER",
                "w/\"a\"          | ANSWER",
                "\"a             | ANSWER",
                "\"a\" \"a\"      | ANSWER",
                "\"a\", b         | ANSWER",
                "*, \"a\"         | ANSWER",
            })
    void ifNoneMatchSendsNoKnownBody(String header, ConditionResult verdict) {
        assertEquals(verdict, new Conditions(List.of(), List.of(header), List.of()).of(EntityTag.strong("a")));
    }

    @Test
    void headersMayBeSentInSeveralLines() {
        var conditions = new Conditions(List.of(), List.of("\"x\"", "W/\"a\""), List.of());
        assertEquals(ConditionResult.NOT_MODIFIED, conditions.of(EntityTag.weak("a")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "\"a\"        | ANSWER | FAILED",
                "\"x\", \"a\" | ANSWER | FAILED",
                "*            | ANSWER | ANSWER",
                "W/\"a\"      | FAILED | FAILED",
                "\"x\"        | FAILED | FAILED",
                "a            | FAILED | FAILED",
            })
    void ifMatchHoldsForTheSameBytesOnly(String header, ConditionResult ofStrong, ConditionResult ofWeak) {
        var conditions = new Conditions(List.of(header), List.of(), List.of());
        assertEquals(ofStrong, conditions.of(EntityTag.strong("a")));
        assertEquals(ofWeak, conditions.of(EntityTag.weak("a")));
    }

    @Test
    void ifMatchIsEvaluatedFirst() {
        var conditions = new Conditions(List.of("\"x\""), List.of("\"a\""), List.of());
        assertEquals(ConditionResult.FAILED, conditions.of(EntityTag.strong("a")));
    }

    @Test
    void requestWithoutConditionsIsAnswered() {
        var none = new Conditions(List.of(), List.of(), List.of());
        assertEquals(ConditionResult.ANSWER, none.of(EntityTag.weak("a")));
        assertTrue(none.wantRangesOf(EntityTag.weak("a")));
    }

    @Test
    void ifRangeHoldsForTheSameBytesOnly() {
        assertTrue(ifRange("\"a\"").wantRangesOf(EntityTag.strong("a")));
        assertFalse(ifRange("\"a\"").wantRangesOf(EntityTag.weak("a")));
        assertFalse(ifRange("W/\"a\"").wantRangesOf(EntityTag.strong("a")));
        assertFalse(ifRange("W/\"a\"").wantRangesOf(EntityTag.weak("a")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"x\"", "a", "*", "\"a\", \"a\"", "", "Tue, 15 Nov 1994 08:12:31 GMT"})
    void malformedIfRangeMatchesNoState(String header) {
        assertFalse(ifRange(header).wantRangesOf(EntityTag.strong("a")));
    }

    private static Conditions ifRange(String header) {
        return new Conditions(List.of(), List.of(), List.of(header));
    }

    @Test
    void longListsOfTagsAreRead() {
        String many = "\"x\",".repeat(4000) + "\"a\"";
        assertEquals(
                ConditionResult.NOT_MODIFIED,
                new Conditions(List.of(), List.of(many), List.of()).of(EntityTag.strong("a")));
        String unclosed = "\"" + "x".repeat(16_000);
        assertEquals(
                ConditionResult.ANSWER,
                new Conditions(List.of(), List.of(unclosed), List.of()).of(EntityTag.strong("a")));
    }

    @Test
    void tagHasVisibleCharactersOnly() {
        assertThrows(IllegalArgumentException.class, () -> EntityTag.strong("a b"));
        assertThrows(IllegalArgumentException.class, () -> EntityTag.strong("a\"b"));
    }
}
