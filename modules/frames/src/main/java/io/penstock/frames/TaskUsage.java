package io.penstock.frames;

/** An agent's usage since its last report, by its own count. Differences, so that the sum is right after a resume. */
public record TaskUsage(long inputTokens, long outputTokens, long costMicroUsd) implements TaskFrame {

    public TaskUsage {
        Checks.notNegative(inputTokens, "input_tokens");
        Checks.notNegative(outputTokens, "output_tokens");
        Checks.notNegative(costMicroUsd, "cost_micro_usd");
    }

    @Override
    public FrameType type() {
        return FrameType.TASK_USAGE;
    }
}
