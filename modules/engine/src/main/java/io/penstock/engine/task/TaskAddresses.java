package io.penstock.engine.task;

import io.penstock.engine.address.Address;
import io.penstock.engine.artifact.ArtifactRequest;
import io.penstock.engine.artifact.ArtifactService;
import io.penstock.engine.launch.LaunchRequest;
import io.penstock.engine.launch.SpawnVerticle;
import io.penstock.engine.policy.PolicyQuestion;
import io.penstock.engine.policy.PolicyVerticle;
import io.vertx.core.eventbus.EventBus;

/**
 * The other verticles, as tasks know them.
 *
 * @param launches launches programs
 * @param policy gives verdicts on spawns
 * @param artifacts seals outputs
 */
public record TaskAddresses(
        Address<LaunchRequest<?>> launches, Address<PolicyQuestion> policy, Address<ArtifactRequest<?>> artifacts) {

    public static TaskAddresses on(EventBus bus) {
        return new TaskAddresses(SpawnVerticle.address(bus), PolicyVerticle.address(bus), ArtifactService.address(bus));
    }
}
