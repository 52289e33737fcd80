package io.penstock.bench.soak;

import io.penstock.engine.log.postgres.PostgresUnavailable;
import java.io.IOException;
import java.util.Random;

/**
 * The disk of the journal gets full: appends must wait, and go on when there is room. Where Postgres is away at the same time,
 * nothing is drained, so that nothing but the room that is made here can help.
 */
final class DiskScenario implements Scenario {

    private static final long DISK_BYTES = 12L * SoakGround.SEGMENT_BYTES;
    private static final int LONGEST_WAIT_MS = 300;
    private static final long HELD_WITHIN_MS = 60_000;

    /** The journal looks for room that others made every five seconds. */
    private static final long GOES_ON_WITHIN_MS = 30_000;

    private final SmallDisk disk;

    DiskScenario(SoakGround ground) throws CannotRun, IOException, InterruptedException {
        disk = SmallDisk.mount(ground.journal, DISK_BYTES);
    }

    @Override
    public String story() {
        return "the journal's disk gets full and is freed while appenders append and are killed";
    }

    @Override
    public void round(SoakGround ground) throws IOException, InterruptedException, PostgresUnavailable {
        Random random = ground.random;
        AppenderProcess appender = ground.startAppender();
        appender.mustGetReady();
        Thread.sleep(random.nextInt(LONGEST_WAIT_MS));
        boolean drains = random.nextInt(3) == 0;
        if (!drains) {
            ground.takePostgresDown();
        }
        disk.fill();
        if (!drains && !appender.awaitHeld(HELD_WITHIN_MS)) {
            throw new SoakFailure("the disk was full, and appends were not held back for " + HELD_WITHIN_MS + " ms");
        }
        Thread.sleep(random.nextInt(LONGEST_WAIT_MS));
        boolean killedWhenFull = random.nextInt(3) == 0;
        if (killedWhenFull) {
            ground.kill(appender);
            if (!drains) {
                ground.bringPostgresBack();
            }
            appender = ground.startAppender();
            // It may have to say that there is no room to open, or drain and find that there is.
            appender.awaitReady(random.nextInt(2_000));
        }
        disk.free();
        appender.mustGetReady();
        ground.mustAcceptMore("after the disk had room again", GOES_ON_WITHIN_MS);
        if (!drains && !killedWhenFull) {
            ground.bringPostgresBack();
        }
        Thread.sleep(random.nextInt(LONGEST_WAIT_MS));
        ground.kill(appender);
        ground.checkNews(Verification.Loss.NONE);
    }

    @Override
    public void end() throws IOException, InterruptedException {
        disk.unmount();
    }
}
