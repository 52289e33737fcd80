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

    @Override
    public void writeJson(JsonWriter json) {
        json.number("input_tokens", inputTokens);
        json.number("output_tokens", outputTokens);
        json.number("cost_micro_usd", costMicroUsd);
    }

    static TaskUsage readJson(JsonFields fields) {
        return new TaskUsage(
                fields.number("input_tokens"), fields.number("output_tokens"), fields.number("cost_micro_usd"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeNumber(inputTokens);
        out.writeNumber(outputTokens);
        out.writeNumber(costMicroUsd);
    }

    static TaskUsage readStored(ByteReader in) {
        return new TaskUsage(in.readNumber(), in.readNumber(), in.readNumber());
    }
}
