package io.penstock.bench.soak.log;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;

/**
 * The appender is killed at random moments: while it starts and replays, right after, under full load, and when idle.
 */
final class KillScenario implements Scenario {

    /**
     * Killed processes leave work for the next one; so not every kill is followed by a check, which includes a start.
     */
    private static final int ROUNDS_A_CHECK = 4;

    private static final int LONGEST_LIFE_MS = 250;

    private final Deque<Long> startsMs = new ArrayDeque<>();

    @Override
    public String story() {
        return "appenders are killed at random moments";
    }

    @Override
    public void round(SoakSetup ground) throws IOException, InterruptedException {
        Random random = ground.random;
        AppenderProcess appender = ground.startAppender();
        int dice = random.nextInt(100);
        if (dice < 25 && !startsMs.isEmpty()) {
            long typical = startsMs.stream().mapToLong(Long::longValue).sum() / startsMs.size();
            appender.awaitReady(typical / 3 + random.nextLong(typical));
        } else {
            appender.requireReady();
            startsMs.add(appender.startMs());
            if (startsMs.size() > 10) {
                startsMs.remove();
            }
            if (dice < 85) {
                Thread.sleep(random.nextInt(LONGEST_LIFE_MS));
            }
        }
        ground.kill(appender);
        if (random.nextInt(ROUNDS_A_CHECK) == 0) {
            ground.checkNews(Verification.Loss.NONE);
        }
    }
}
