package io.penstock.engine.task;

import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.session.Lanes;
import io.penstock.engine.session.SessionApi;
import io.penstock.engine.spawn.linux.DescriptorBudget;
import io.penstock.engine.spawn.linux.UsageSampler;
import io.penstock.engine.task.agent.AgentServices;
import io.penstock.frames.Containment;
import io.vertx.core.WorkerExecutor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The services that every task needs; shared by all shards.
 *
 * @param policy the rules in force, asked for each time
 * @param lanes which tasks run and which are queued
 * @param questions which spawns wait for an answer
 * @param sessions records the starts and ends of tasks in the streams of their sessions
 * @param addresses where programs are launched, spawns judged and outputs sealed
 * @param containment how reliably everything that a program starts can be found and killed
 * @param descriptors whether there are file descriptors for one more program
 * @param floods stores output that is written faster than it is read: a few threads, so that only they wait for the disk
 * @param matching matches watchers with output: patterns can be slow
 * @param outputRate maximum bytes per second of a task, or {@link OutputPace#UNLIMITED}
 * @param usage measures what the processes of running programs use
 * @param agents what agents need besides
 */
public record TaskServices(
        FrameLog log,
        ArtifactStore artifacts,
        Supplier<Policy> policy,
        Lanes lanes,
        OpenQuestions questions,
        SessionApi sessions,
        DescriptorBudget descriptors,
        TaskAddresses addresses,
        Containment containment,
        WorkerExecutor floods,
        WorkerExecutor matching,
        long outputRate,
        UsageSampler usage,
        AgentServices agents,
        LongSupplier clockMs) {}
