package io.penstock.engine.launch;

import io.penstock.engine.address.Address;
import io.penstock.engine.address.Service;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.EventBus;
import org.jspecify.annotations.Nullable;

/** Launches programs at its address, on workers. */
public final class SpawnVerticle extends VerticleBase {

    public static final String ADDRESS = "penstock.spawn";

    private final ProgramLauncher launcher;

    public SpawnVerticle(ProgramLauncher launcher) {
        this.launcher = launcher;
    }

    public static Address<LaunchRequest<?>> address(EventBus bus) {
        return new Address<>(
                bus,
                ADDRESS,
                () -> new Failure(FailureCode.TASK_NOT_READY, "The server shuts down and starts no program"));
    }

    @Override
    public Future<?> start() {
        return Service.<LaunchRequest<?>>serve(
                vertx.eventBus(), ADDRESS, request -> Service.onWorker(vertx, () -> carryOut(request)));
    }

    private @Nullable Object carryOut(LaunchRequest<?> request) throws Exception {
        return switch (request) {
            case LaunchRequest.Prepare spawn -> launcher.prepare(spawn);
            case LaunchRequest.Enqueue queued -> launcher.enqueue(queued.taskId(), queued.spawn());
            case LaunchRequest.Launch launch -> launcher.launch(launch.taskId(), launch.prepared());
            case LaunchRequest.Forget task -> launcher.forget(task.taskId());
            case LaunchRequest.LeaveToNextServer task -> launcher.leaveToNextServer(task.taskId());
        };
    }
}
