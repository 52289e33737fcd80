package io.penstock.engine.policy;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import java.nio.file.Path;
import org.yaml.snakeyaml.error.Mark;

/** A file of rules is invalid: the line, and why. None of its rules is in force then. */
public final class PolicyFileBroken extends Failure {

    private static final long serialVersionUID = 1L;

    PolicyFileBroken(Path file, int line, String why) {
        super(FailureCode.INVALID_REQUEST, "The policy " + file + ", line " + line + ": " + why);
    }

    PolicyFileBroken(Path file, String why) {
        super(FailureCode.INVALID_REQUEST, "The policy " + file + " " + why);
    }

    static int line(Mark mark) {
        return mark.getLine() + 1;
    }
}
