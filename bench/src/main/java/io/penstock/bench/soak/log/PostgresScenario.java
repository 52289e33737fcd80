package io.penstock.bench.soak.log;

import io.penstock.engine.log.postgres.PostgresUnavailable;
import java.io.IOException;
import java.util.Random;

/** Postgres dies and comes back while the appender runs, starts, or is killed itself. */
final class PostgresScenario implements Scenario {

    private static final int MOST_DEATHS_A_LIFE = 3;
    private static final int LONGEST_UP_MS = 250;
    private static final int LONGEST_AWAY_MS = 400;
    private static final long RESUMES_WITHIN_MS = 30_000;

    @Override
    public String story() {
        return "Postgres is killed, stopped and restarted while appenders append and are killed";
    }

    @Override
    public void round(SoakSetup ground) throws IOException, InterruptedException, PostgresUnavailable {
        Random random = ground.random;
        boolean startsWithout = random.nextInt(4) == 0;
        if (startsWithout) {
            ground.takePostgresDown();
        }
        AppenderProcess appender = ground.startAppender();
        if (startsWithout) {
            appender.awaitReady(random.nextInt(1_500));
            ground.bringPostgresBack();
        }
        if (random.nextInt(4) > 0) {
            appender.requireReady();
        }
        int deaths = 1 + random.nextInt(MOST_DEATHS_A_LIFE);
        boolean killed = false;
        for (int i = 0; i < deaths; i++) {
            Thread.sleep(random.nextInt(LONGEST_UP_MS));
            ground.takePostgresDown();
            Thread.sleep(random.nextInt(LONGEST_AWAY_MS));
            if (!killed && random.nextInt(4) == 0) {
                ground.kill(appender);
                killed = true;
            } else if (!killed && appender.startMs() >= 0 && random.nextInt(3) == 0) {
                requireProgressWithoutPostgres(ground, appender);
            }
            ground.bringPostgresBack();
            if (!killed && appender.startMs() >= 0 && random.nextInt(3) == 0) {
                ground.requireAccepted("after Postgres was back", RESUMES_WITHIN_MS);
            }
        }
        if (!killed) {
            ground.kill(appender);
        }
        ground.checkNews(Verification.Loss.NONE);
    }

    /** The journal accepts appends until its limit of undrained records is reached. */
    private static void requireProgressWithoutPostgres(SoakSetup ground, AppenderProcess appender)
            throws IOException, InterruptedException {
        if (!appender.awaitHeld(0)) {
            long told = ground.book.frames();
            if (!ground.book.awaitMoreThan(told, LONGEST_AWAY_MS) && !appender.awaitHeld(0)) {
                ground.requireAccepted("while Postgres was away", RESUMES_WITHIN_MS);
            }
        }
    }
}
