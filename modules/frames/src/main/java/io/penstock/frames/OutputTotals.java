package io.penstock.frames;

/** The bytes that a task has written, by channel, and the offset up to which each byte is stored or reported as missing. */
public record OutputTotals(
        long stdoutTotal, long stdoutStored, long stderrTotal, long stderrStored, long ptyTotal, long ptyStored) {

    public static final OutputTotals NONE = new OutputTotals(0, 0, 0, 0, 0, 0);

    public OutputTotals {
        stored(stdoutTotal, stdoutStored, Channel.STDOUT);
        stored(stderrTotal, stderrStored, Channel.STDERR);
        stored(ptyTotal, ptyStored, Channel.PTY);
    }

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

    private static void stored(long total, long stored, Channel channel) {
        if (stored < 0 || stored > total || total > Limits.WHOLE_NUMBER) {
            throw new IllegalArgumentException("Of " + channel.wireName() + ", " + stored + " bytes of " + total
                    + " are stored: that is not from 0 to all of them");
        }
    }

    OutputTotals after(ToolTaskOutputDelta delta) {
        return with(delta.channel(), delta.bytesTotal(), delta.bytesStored());
    }

    OutputTotals after(ToolTaskOutputGap gap) {
        return with(gap.channel(), total(gap.channel()), gap.end());
    }

    private OutputTotals with(Channel channel, long total, long stored) {
        return switch (channel) {
            case STDOUT -> new OutputTotals(total, stored, stderrTotal, stderrStored, ptyTotal, ptyStored);
            case STDERR -> new OutputTotals(stdoutTotal, stdoutStored, total, stored, ptyTotal, ptyStored);
            case PTY -> new OutputTotals(stdoutTotal, stdoutStored, stderrTotal, stderrStored, total, stored);
        };
    }
}
