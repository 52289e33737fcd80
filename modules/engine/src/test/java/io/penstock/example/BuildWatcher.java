package io.penstock.example;

import io.penstock.engine.bus.BusAddresses;
import io.penstock.engine.bus.FollowFrames;
import io.penstock.engine.bus.FramePage;
import io.penstock.frames.Frame;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;

/** Follows a task from its first frame to its last, and reports how it ended. */
final class BuildWatcher extends VerticleBase {

    private final String taskId;
    private final Promise<String> outcome = Promise.promise();

    BuildWatcher(String taskId) {
        this.taskId = taskId;
    }

    @Override
    public Future<?> start() {
        String mine = "build-watcher." + taskId;
        vertx.eventBus().<FramePage>localConsumer(mine, page -> {
            page.body().frames().forEach(this::see);
            page.reply(null); // the next page, please
        });
        return vertx.eventBus().request(BusAddresses.FOLLOW, new FollowFrames(taskId, 0L, mine, true));
    }

    private void see(Frame frame) {
        if (frame.body() instanceof ToolTaskStatus status && status.ending() != null) {
            outcome.complete(status.ending().outcome().wireName());
        }
    }

    Future<String> outcome() {
        return outcome.future();
    }
}
