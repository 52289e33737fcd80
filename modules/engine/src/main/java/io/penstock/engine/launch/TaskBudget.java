package io.penstock.engine.launch;

import io.penstock.frames.Budgets;
import io.penstock.frames.OutputTotals;
import io.penstock.frames.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a task's running time, output and events.
 *
 * @param rule the policy rule that gave the budgets
 * @param timeoutMs the requested timeout; a time budget can only shorten it
 */
public record TaskBudget(Budgets budgets, String rule, long timeoutMs) {

    /** Names the exceeded budget in a sentence; null if none is. */
    public @Nullable String usedUp(TaskState state, int framesNotCounted) {
        Long output = budgets.outputBytes();
        if (output != null && outputOf(state.output()) > output) {
            return sentence(output + " bytes of output");
        }
        Long events = budgets.events();
        if (events != null && state.nextSeq() - framesNotCounted > events) {
            return sentence(events + " events");
        }
        return null;
    }

    private static long outputOf(OutputTotals output) {
        return output.stdoutTotal() + output.stderrTotal() + output.ptyTotal();
    }

    /** How long the program may run. */
    public long runsMs() {
        Long time = budgets.timeMs();
        return time == null ? timeoutMs : Math.min(time, timeoutMs);
    }

    /** The sentence for a program that has run too long; null if the limit was the requested timeout. */
    public @Nullable String timeUsedUp() {
        Long time = budgets.timeMs();
        return time == null || time >= timeoutMs ? null : sentence(time + " ms");
    }

    private String sentence(String what) {
        return "the budget of " + what + " is used up, which came with the rule \"" + rule + "\"";
    }
}
