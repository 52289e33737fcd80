package io.penstock.server.tools.shell;

import io.penstock.frames.ContractStatus;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The contract's word for the state of a run. */
final class ShellStatus {

    private ShellStatus() {}

    static String of(Phase phase, @Nullable Outcome outcome, boolean requeued) {
        return Objects.requireNonNull(ContractStatus.shell(phase, outcome, requeued), "a run that exists has a status");
    }
}
