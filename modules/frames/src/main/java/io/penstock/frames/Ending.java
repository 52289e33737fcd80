package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/**
 * How a run ended, according to its reaper. A death by signal n has the exit code 128 + n in addition to the signal.
 *
 * @param exitCode null if the program never ran, its exit was not seen, or it was ended because its agent had settled
 * @param signal the number of the signal that ended it, or null
 */
public record Ending(
        Outcome outcome,
        @Nullable Integer exitCode,
        @Nullable Integer signal) {

    public Ending {
        if (exitCode != null && (exitCode < 0 || exitCode > 255)) {
            throw new IllegalArgumentException("An exit code is 0 to 255, not " + exitCode);
        }
        if (signal != null && (signal < 1 || signal > 64)) {
            throw new IllegalArgumentException("A signal number is 1 to 64, not " + signal);
        }
        if (signal != null && (exitCode == null || exitCode != 128 + signal)) {
            throw new IllegalArgumentException(
                    "A death by signal " + signal + " has the exit code " + (128 + signal) + ", not " + exitCode);
        }
        boolean fits = switch (outcome) {
            case SUCCEEDED -> exitCode == null || exitCode == 0;
            case NONZERO -> exitCode != null && exitCode != 0;
            case LOST -> exitCode == null;
            case FAILED, CANCELLED, TIMED_OUT -> true;
        };
        if (!fits) {
            throw new IllegalArgumentException(
                    "The outcome " + outcome.wireName() + " cannot have exit code " + exitCode);
        }
    }

    /** The ending of a program that exited by itself. */
    public static Ending exit(int code) {
        return new Ending(code == 0 ? Outcome.SUCCEEDED : Outcome.NONZERO, code, null);
    }

    /** The ending of a program killed by a signal from outside. */
    public static Ending killedBy(int signal) {
        return new Ending(Outcome.NONZERO, 128 + signal, signal);
    }

    public static Ending failed() {
        return new Ending(Outcome.FAILED, null, null);
    }

    public static Ending lost() {
        return new Ending(Outcome.LOST, null, null);
    }

    static @Nullable Ending readJson(JsonFields fields) {
        Outcome outcome = fields.oneOfOrNull("outcome", Outcome.class);
        return outcome == null
                ? null
                : new Ending(outcome, fields.smallNumberOrNull("exit_code"), fields.smallNumberOrNull("signal"));
    }
}
