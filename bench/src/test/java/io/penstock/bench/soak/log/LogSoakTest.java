package io.penstock.bench.soak.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.bench.soak.SoakFailure;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The short form of {@code ./penstock soak log}; its seeds are fixed, its timing is as random as a busy machine. */
@Tag("long")
class LogSoakTest {

    private final LogSoak soak = new LogSoak(System.out);

    @Test
    void everyAcceptedFrameSurvivesKills() {
        var held = assertInstanceOf(LogSoak.Outcome.Held.class, soak.run(SoakScenario.KILL, 4, 1));
        assertEquals(4, held.kills());
        assertTrue(held.frames() >= held.accepted(), held::toString);
    }

    @Test
    void everyAcceptedFrameSurvivesPostgresDyingMeanwhile() {
        var held = assertInstanceOf(LogSoak.Outcome.Held.class, soak.run(SoakScenario.POSTGRES, 2, 2));
        assertTrue(held.accepted() > 0, held::toString);
    }

    @Test
    void everyAcceptedFrameSurvivesAFullDisk() {
        LogSoak.Outcome outcome = soak.run(SoakScenario.DISK, 2, 3);
        assumeTrue(outcome instanceof LogSoak.Outcome.Held, outcome::toString);
    }

    @Test
    void damagedJournalLosesNothingDrained() {
        var held = assertInstanceOf(LogSoak.Outcome.Held.class, soak.run(SoakScenario.TRUNCATE, 2, 4));
        assertTrue(held.accepted() > 0, held::toString);
    }

    @Test
    void reusedSeqOrReplacedFrameIsDetected() {
        var book = new StreamBook("s");
        book.accepted(0, 1, 10);
        book.accepted(1, 1, 11);
        assertThrows(SoakFailure.class, () -> book.accepted(1, 2, 12), "a seq that was given before");
        assertThrows(SoakFailure.class, () -> book.accepted(3, 1, 12), "a gap under one writer");
        assertThrows(SoakFailure.class, () -> book.seen(1, 12), "another frame than the accepted one");
        // Another process may have appended frames whose acceptance was not reported.
        book.accepted(4, 2, 14);
        book.seen(2, 99);
        assertThrows(SoakFailure.class, () -> book.seen(2, 98), "another frame than was seen before");
        assertEquals(5, book.count());
    }

    @Test
    void wrongOptionsAreRefused() {
        var soak = new LogSoakCommand();
        var command = new CommandLine(soak);
        var e = assertThrows(ParameterException.class, () -> command.parseArgs("--rounds", "many"));
        assertTrue(String.valueOf(e.getMessage()).contains("'many' is not an int"), e::getMessage);
        assertEquals(2, command.execute("everything"));
        assertEquals(2, command.execute("--scenario", "everything"));
        command.parseArgs("--rounds", "7");
        assertEquals(7, soak.rounds(SoakScenario.DISK));
    }
}
