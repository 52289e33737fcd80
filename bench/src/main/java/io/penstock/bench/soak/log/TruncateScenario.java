package io.penstock.bench.soak.log;

import io.penstock.engine.log.postgres.PostgresUnavailable;
import java.io.IOException;
import java.util.Random;

/** After a kill the journal's files are damaged, mostly while they hold undrained records. */
final class TruncateScenario implements Scenario {

    private static final int LONGEST_DRAINED_MS = 100;
    private static final int LONGEST_UNDRAINED_MS = 400;

    @Override
    public String story() {
        return "the journal of a killed appender is truncated, or a byte of it flipped";
    }

    @Override
    public void round(SoakSetup ground) throws IOException, InterruptedException, PostgresUnavailable {
        Random random = ground.random;
        AppenderProcess appender = ground.startAppender();
        appender.requireReady();
        Thread.sleep(random.nextInt(LONGEST_DRAINED_MS));
        boolean undrained = random.nextInt(5) > 0;
        if (undrained) {
            ground.takePostgresDown();
        }
        Thread.sleep(random.nextInt(LONGEST_UNDRAINED_MS));
        ground.kill(appender);
        JournalDamage.at(ground.journal, random);
        if (undrained) {
            ground.bringPostgresBack();
        }
        ground.checkNews(Verification.Loss.OF_UNDRAINED);
    }
}
