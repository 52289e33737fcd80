package io.penstock.engine.spawn;

import java.util.regex.Pattern;

/**
 * A process, distinguishable from a later one with the same number.
 *
 * @param pid its number, which is also that of its session and process group
 * @param startTicks its start in clock ticks since the boot, from /proc; 0 if unknown
 * @param boot the kernel's id of that boot; empty if unknown
 */
public record ProcessIdentity(long pid, long startTicks, String boot) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,18})@(\\d{1,18})/([0-9a-f-]*)");

    public ProcessIdentity {
        if (pid < 1 || startTicks < 0) {
            throw new IllegalArgumentException("invalid process: number " + pid + ", start " + startTicks);
        }
    }

    /** The inverse of {@link #toString}. */
    public static ProcessIdentity parse(String text) {
        var matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("expected a process as PID@START/BOOT, not \"" + text + "\"");
        }
        return new ProcessIdentity(
                Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)), matcher.group(3));
    }

    @Override
    public String toString() {
        return pid + "@" + startTicks + "/" + boot;
    }
}
