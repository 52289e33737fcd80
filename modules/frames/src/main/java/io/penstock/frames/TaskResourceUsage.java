package io.penstock.frames;

/**
 * What the processes of a running task use, as measured at the time of the frame.
 *
 * @param cpuMs time on processors since the start of the run
 * @param cpuPercent the share of one processor that they used during the last {@code overMs}
 * @param memoryBytes resident memory; pages that processes share are counted for each of them
 * @param memoryPeakBytes the most resident memory in any measurement of the run so far
 */
public record TaskResourceUsage(
        long cpuMs, int cpuPercent, long overMs, long memoryBytes, long memoryPeakBytes, int processes)
        implements TaskFrame {

    public TaskResourceUsage {
        Checks.notNegative(cpuMs, "cpu_ms");
        Checks.notNegative(cpuPercent, "cpu_percent");
        Checks.notNegative(overMs, "over_ms");
        Checks.notNegative(memoryBytes, "memory_bytes");
        Checks.notNegative(memoryPeakBytes, "memory_peak_bytes");
        Checks.notNegative(processes, "processes");
    }

    @Override
    public FrameType type() {
        return FrameType.TASK_RESOURCE_USAGE;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.number("cpu_ms", cpuMs);
        json.number("cpu_percent", cpuPercent);
        json.number("over_ms", overMs);
        json.number("memory_bytes", memoryBytes);
        json.number("memory_peak_bytes", memoryPeakBytes);
        json.number("processes", processes);
    }

    static TaskResourceUsage readJson(JsonFields fields) {
        return new TaskResourceUsage(
                fields.number("cpu_ms"),
                fields.smallNumber("cpu_percent"),
                fields.number("over_ms"),
                fields.number("memory_bytes"),
                fields.number("memory_peak_bytes"),
                fields.smallNumber("processes"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeNumber(cpuMs);
        out.writeNumber(cpuPercent);
        out.writeNumber(overMs);
        out.writeNumber(memoryBytes);
        out.writeNumber(memoryPeakBytes);
        out.writeNumber(processes);
    }

    static TaskResourceUsage readStored(ByteReader in) {
        return new TaskResourceUsage(
                in.readNumber(),
                in.readSmallNumber(),
                in.readNumber(),
                in.readNumber(),
                in.readNumber(),
                in.readSmallNumber());
    }
}
