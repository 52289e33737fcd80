package io.penstock.engine.spawn;

import java.util.regex.Pattern;

/**
 * A process that cannot be mistaken for a later one with the same number.
 *
 * @param pid its number, which is also that of its session and process group
 * @param startTicks when it started, in clock ticks since the boot, as /proc says; 0 where that is not known
 * @param boot the kernel's id of that boot; empty where that is not known
 */
public record ProcessIdentity(long pid, long startTicks, String boot) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,18})@(\\d{1,18})/([0-9a-f-]*)");

    public ProcessIdentity {
        if (pid < 1 || startTicks < 0) {
            throw new IllegalArgumentException("No process has the number " + pid + " and the start " + startTicks);
        }
    }

    /** Reads what {@link #toString} wrote. */
    public static ProcessIdentity parse(String text) {
        var matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("A process is written as PID@START/BOOT, not \"" + text + "\"");
        }
        return new ProcessIdentity(
                Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)), matcher.group(3));
    }

    @Override
    public String toString() {
        return pid + "@" + startTicks + "/" + boot;
    }
}
