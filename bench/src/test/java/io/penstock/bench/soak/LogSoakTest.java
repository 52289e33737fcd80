package io.penstock.bench.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The short form of {@code ./penstock soak log}; its seeds are fixed, its moments are as random as a busy machine is. */
class LogSoakTest {

    private final LogSoak soak = new LogSoak(System.out);

    @Test
    void everyAcceptedFrameSurvivesAHundredKills() {
        var held = assertInstanceOf(LogSoak.Outcome.Held.class, soak.run(SoakScenario.KILL, 100, 1));
        assertEquals(100, held.kills());
        assertTrue(held.frames() >= held.told(), held::toString);
    }

    @Test
    void everyAcceptedFrameSurvivesPostgresDyingMeanwhile() {
        var held = assertInstanceOf(LogSoak.Outcome.Held.class, soak.run(SoakScenario.POSTGRES, 6, 2));
        assertTrue(held.told() > 0, held::toString);
    }

    @Test
    void everyAcceptedFrameSurvivesAFullDisk() {
        LogSoak.Outcome outcome = soak.run(SoakScenario.DISK, 3, 3);
        assumeTrue(outcome instanceof LogSoak.Outcome.Held, outcome::toString);
    }

    @Test
    void aDamagedJournalLosesNothingThatWasDrainedAndTheLogGoesOn() {
        var held = assertInstanceOf(LogSoak.Outcome.Held.class, soak.run(SoakScenario.TRUNCATE, 8, 4));
        assertTrue(held.told() > 0, held::toString);
    }

    @Test
    void aReusedSeqOrAnotherFrameInItsPlaceIsFoundOut() {
        var book = new StreamBook("s");
        book.accepted(0, 1, 10);
        book.accepted(1, 1, 11);
        assertThrows(SoakFailure.class, () -> book.accepted(1, 2, 12), "a seq that was given before");
        assertThrows(SoakFailure.class, () -> book.accepted(3, 1, 12), "a gap under one writer");
        assertThrows(SoakFailure.class, () -> book.seen(1, 12), "another frame than the accepted one");
        // Another process may have appended what nobody was told of.
        book.accepted(4, 2, 14);
        book.seen(2, 99);
        assertThrows(SoakFailure.class, () -> book.seen(2, 98), "another frame than was seen before");
        assertEquals(5, book.count());
    }

    @Test
    void badWordsEndInOneSentence() {
        var e = assertThrows(IllegalArgumentException.class, () -> SoakOptions.of(List.of("log", "--rounds", "many")));
        assertTrue(String.valueOf(e.getMessage()).contains("--rounds is many"), e::getMessage);
        assertEquals(2, LogSoak.main(List.of("everything")));
        assertEquals(7, SoakOptions.of(List.of("log", "--rounds", "7")).rounds(SoakScenario.DISK));
    }
}
