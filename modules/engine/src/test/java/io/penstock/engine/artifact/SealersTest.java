package io.penstock.engine.artifact;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Limits;
import io.vertx.core.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

final class SealersTest {

    private static final int MIB = 1024 * 1024;

    private final Semaphore mayFollow = new Semaphore(0);
    private final Semaphore followed = new Semaphore(0);

    /** Follows a MiB each time it may. */
    private final class InSteps implements Sealers.Work {
        @Override
        public void follow(GrowingArtifact growing) {
            mayFollow.acquireUninterruptibly();
            growing.digest(new byte[MIB], MIB);
            followed.release();
        }

        @Override
        public Sealed end(GrowingArtifact growing) {
            throw new AssertionError("the end was not requested");
        }
    }

    @Test
    void writerFarAheadOfTheDigestWaitsForIt() {
        try (var sealers = new Sealers(1, new InSteps())) {
            var growing = new GrowingArtifact("flood");
            growing.grewTo(Limits.ARTIFACT_UNDIGESTED_BYTES);
            assertTrue(sealers.near(growing).succeeded());
            growing.grewTo(Limits.ARTIFACT_UNDIGESTED_BYTES + 2L * MIB);
            Future<Void> near = sealers.near(growing);
            Future<Void> alsoNear = sealers.near(growing);
            mayFollow.release();
            followed.acquireUninterruptibly();
            assertFalse(near.isComplete());
            mayFollow.release();
            await(near);
            await(alsoNear);
            mayFollow.release(Integer.MAX_VALUE / 2); // all that is left, so that it can be closed
        }
    }

    @Test
    void writerDoesNotWaitForAFailedDigest() {
        var failing = new Sealers.Work() {
            @Override
            public void follow(GrowingArtifact growing) {
                throw new IllegalStateException("this disk is broken");
            }

            @Override
            public Sealed end(GrowingArtifact growing) {
                throw new AssertionError("the end was not requested");
            }
        };
        try (var sealers = new Sealers(1, failing)) {
            var growing = new GrowingArtifact("flood");
            growing.grewTo(Limits.ARTIFACT_UNDIGESTED_BYTES + 1);
            await(sealers.near(growing));
        }
    }
}
