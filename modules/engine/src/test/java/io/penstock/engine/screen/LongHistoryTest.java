package io.penstock.engine.screen;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.engine.log.OneAtATime;
import org.junit.jupiter.api.Test;

final class LongHistoryTest extends OnScreenGround {

    private static final int MANY = 20_000;

    @Test
    void screenAfterVeryManyPagesIsComputed() {
        // It reads nothing: a frame that says that it waits for input would come among the others.
        String task = ground.spawn(24, 80, "sleep", "600");
        for (int i = 1; i <= MANY; i++) {
            ground.resize(task, 20 + i % 2, 80);
        }
        var screens = Screens.open(
                ground.vertx, new OneAtATime(ground.vertx, ground.log), ground.artifacts, new ScreenUpdater());
        try {
            ScreenSnapshot now = await(screens.now(task, () -> false));
            assertEquals(20, now.screen().rows());
            assertEquals(
                    21,
                    await(screens.at(task, now.seq() - 1, () -> false)).screen().rows());
        } finally {
            await(screens.close());
        }
    }
}
