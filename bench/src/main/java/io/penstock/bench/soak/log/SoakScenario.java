package io.penstock.bench.soak.log;

import io.penstock.bench.soak.CannotRun;
import java.io.IOException;

/** The ways to torture the log, and the number of rounds of each in a long soak. */
public enum SoakScenario {
    KILL(200),
    POSTGRES(60),
    DISK(40),
    TRUNCATE(100);

    private final int longRounds;

    SoakScenario(int longRounds) {
        this.longRounds = longRounds;
    }

    int longRounds() {
        return longRounds;
    }

    Scenario on(SoakSetup ground) throws CannotRun, IOException, InterruptedException {
        return switch (this) {
            case KILL -> new KillScenario();
            case POSTGRES -> new PostgresScenario();
            case DISK -> new DiskScenario(ground);
            case TRUNCATE -> new TruncateScenario();
        };
    }
}
