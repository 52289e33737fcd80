package io.penstock.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The table of status words, row by row as in the design. {@code -} means that a contract never sees such a task. */
class ContractStatusTest {

    private static final String NONE = "not found";

    //  phase, outcome | tool tasks | task tools | taskd, selected/not | shell, requeued/not | background, resumed/not
    private static final String[][] TABLE = {
        {"ABSENT", "", NONE, NONE, "missing/missing", NONE + "/" + NONE, NONE + "/" + NONE},
        {"QUEUED", "", "queued", "spawned", "creating/creating", "queued/queued", "running/running"},
        {"STARTING", "", "queued", "spawned", "creating/creating", "queued/queued", "running/running"},
        {"RUNNING", "", "running", "running", "active/active", "running/running", "resumed/running"},
        {"IDLE", "", "running", "completed", "active/ready", "-/-", "completed/completed"},
        {"AWAITING_INPUT", "", "running", "running", "active/active", "running/running", "running/running"},
        {"STOPPING", "", "running", "running", "active/active", "running/running", "running/running"},
        {"ENDED", "SUCCEEDED", "exited", "completed", "stopped/stopped", "succeeded/succeeded", "completed/completed"},
        {"ENDED", "NONZERO", "exited", "failed", "errored/errored", "failed/failed", "error/error"},
        {"ENDED", "FAILED", "failed", "failed", "errored/errored", "failed/failed", "error/error"},
        {"ENDED", "CANCELLED", "cancelled", "killed", "stopped/stopped", "canceled/canceled", "cancelled/cancelled"},
        {"ENDED", "TIMED_OUT", "cancelled", "timeout", "errored/errored", "timed_out/timed_out", "error/error"},
        {"ENDED", "LOST", "failed", "failed", "errored/errored", "queued/failed", "error/error"},
    };

    @Test
    void everyRowOfTheTableHasItsWords() {
        for (String[] row : TABLE) {
            Phase phase = Phase.valueOf(row[0]);
            Outcome outcome = row[1].isEmpty() ? null : Outcome.valueOf(row[1]);
            String where = row[0] + " " + row[1];
            same(row[2], ContractStatus.toolTasks(phase, outcome), where);
            same(row[3], ContractStatus.taskTools(phase, outcome), where);
            pair(
                    row[4],
                    ContractStatus.taskd(phase, outcome, true),
                    ContractStatus.taskd(phase, outcome, false),
                    where);
            pair(
                    row[5],
                    ContractStatus.shell(phase, outcome, true),
                    ContractStatus.shell(phase, outcome, false),
                    where);
            pair(
                    row[6],
                    ContractStatus.backgroundTask(phase, outcome, TaskTurnStarted.Kind.RESUME),
                    ContractStatus.backgroundTask(phase, outcome, TaskTurnStarted.Kind.STEER),
                    where);
            assertEquals(
                    ContractStatus.backgroundTask(phase, outcome, TaskTurnStarted.Kind.STEER),
                    ContractStatus.backgroundTask(phase, outcome, null));
        }
    }

    private static void pair(String expected, @Nullable String yes, @Nullable String no, String where) {
        String[] words = expected.split("/", -1);
        same(words[0], yes, where);
        same(words[1], no, where);
    }

    private static void same(String expected, @Nullable String word, String where) {
        if (!expected.equals("-")) {
            assertEquals(expected.equals(NONE) ? null : expected, word, where);
        }
    }

    @Test
    void theTableHasARowForEveryPhaseAndOutcome() {
        List<String> rows = new ArrayList<>();
        for (Phase phase : EnumSet.complementOf(EnumSet.of(Phase.ENDED))) {
            rows.add(phase.name() + " ");
        }
        for (Outcome outcome : Outcome.values()) {
            rows.add("ENDED " + outcome.name());
        }
        List<String> written = new ArrayList<>();
        for (String[] row : TABLE) {
            written.add(row[0] + " " + row[1]);
        }
        assertEquals(rows.stream().sorted().toList(), written.stream().sorted().toList());
    }

    @Test
    void anEndWithoutAnOutcomeHasNoWord() {
        assertThrows(IllegalArgumentException.class, () -> ContractStatus.toolTasks(Phase.ENDED, null));
    }
}
