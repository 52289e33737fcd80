package io.penstock.bench.soak.log;

import io.penstock.bench.soak.CannotRun;
import io.penstock.bench.soak.SmallDisk;
import io.penstock.bench.soak.SoakFailure;
import io.penstock.engine.log.postgres.PostgresUnavailable;
import java.io.IOException;
import java.util.Random;

/**
 * The journal's disk fills up: appends must wait, and continue when there is room. If Postgres is down at the same
 * time, nothing is drained, so that only the room made here can help.
 */
final class DiskScenario implements Scenario {

    private static final long DISK_BYTES = 12L * SoakSetup.SEGMENT_BYTES;
    private static final int LONGEST_WAIT_MS = 300;
    private static final long HELD_WITHIN_MS = 60_000;

    /** The journal checks every five seconds for room made by others. */
    private static final long RESUMES_WITHIN_MS = 30_000;

    private final SmallDisk disk;

    DiskScenario(SoakSetup ground) throws CannotRun, IOException, InterruptedException {
        disk = SmallDisk.mount(ground.journal, DISK_BYTES);
    }

    @Override
    public String story() {
        return "the journal's disk gets full and is freed while appenders append and are killed";
    }

    @Override
    public void round(SoakSetup ground) throws IOException, InterruptedException, PostgresUnavailable {
        Random random = ground.random;
        AppenderProcess appender = ground.startAppender();
        appender.requireReady();
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
            // It may report that it lacks room to open, or drain and then have room.
            appender.awaitReady(random.nextInt(2_000));
        }
        disk.free();
        appender.requireReady();
        ground.requireAccepted("after the disk had room again", RESUMES_WITHIN_MS);
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
