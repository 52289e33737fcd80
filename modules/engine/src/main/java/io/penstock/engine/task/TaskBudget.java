package io.penstock.engine.task;

import io.penstock.frames.Budgets;
import io.penstock.frames.OutputTotals;
import io.penstock.frames.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * What a task may use up, and by which rule.
 *
 * @param timeoutMs what was asked for; a budget of time can only make it less
 */
public record TaskBudget(Budgets budgets, String rule, long timeoutMs) {

    /** Which budget is used up, in a sentence; null while none is. */
    @Nullable
    String usedUp(TaskState state, int framesNotCounted) {
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
    long runsMs() {
        Long time = budgets.timeMs();
        return time == null ? timeoutMs : Math.min(time, timeoutMs);
    }

    /** What is said when its time is up, if that is the budget's and not what was asked for. */
    @Nullable
    String timeUsedUp() {
        Long time = budgets.timeMs();
        return time == null || time >= timeoutMs ? null : sentence(time + " ms");
    }

    private String sentence(String what) {
        return "the budget of " + what + " is used up, which came with the rule \"" + rule + "\"";
    }
}
