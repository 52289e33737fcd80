package io.penstock.frames;

/** How much a task has written, and how much of it is stored, by channel. */
public record OutputTotals(
        long stdoutTotal, long stdoutStored, long stderrTotal, long stderrStored, long ptyTotal, long ptyStored) {

    public static final OutputTotals NONE = new OutputTotals(0, 0, 0, 0, 0, 0);

    public long total(Channel channel) {
        return switch (channel) {
            case STDOUT -> stdoutTotal;
            case STDERR -> stderrTotal;
            case PTY -> ptyTotal;
        };
    }

    public long stored(Channel channel) {
        return switch (channel) {
            case STDOUT -> stdoutStored;
            case STDERR -> stderrStored;
            case PTY -> ptyStored;
        };
    }

    OutputTotals after(ToolTaskOutputDelta delta) {
        long total = delta.bytesTotal();
        long stored = delta.bytesStored();
        return switch (delta.channel()) {
            case STDOUT -> new OutputTotals(total, stored, stderrTotal, stderrStored, ptyTotal, ptyStored);
            case STDERR -> new OutputTotals(stdoutTotal, stdoutStored, total, stored, ptyTotal, ptyStored);
            case PTY -> new OutputTotals(stdoutTotal, stdoutStored, stderrTotal, stderrStored, total, stored);
        };
    }
}
