package io.penstock.engine;

import io.penstock.engine.agent.AgentProfiles;
import io.penstock.engine.ledger.LogSettings;
import io.penstock.engine.log.FrameListener;
import io.penstock.engine.policy.PolicySource;
import io.penstock.engine.retention.RetentionSettings;
import io.penstock.engine.session.Quotas;
import io.penstock.engine.sink.ExecEventSink;
import io.penstock.engine.spawn.linux.DescriptorBudget;
import io.penstock.frames.Limits;
import java.nio.file.Path;
import java.util.List;

/**
 * The settings of an engine.
 *
 * @param workspace the folder that tasks work in or below
 * @param listeners notified of every frame of every task
 * @param quotas limits on running and queued tasks, and on their output rate
 * @param retention how long and how much is kept
 * @param descriptors whether there are file descriptors for one more task
 * @param diskReserveBytes disk space that outputs leave free
 * @param sinks receive what happens to tasks, besides the mailboxes of their sessions
 * @param agents the agent programs that may be run
 * @param taskUsage whether the CPU time and memory of tasks is measured and recorded
 */
public record EngineSettings(
        LogSettings log,
        Path workspace,
        SpawnerChoice spawner,
        PolicySource policy,
        Quotas quotas,
        List<FrameListener.Source> listeners,
        RetentionSettings retention,
        DescriptorBudget descriptors,
        long diskReserveBytes,
        List<ExecEventSink> sinks,
        AgentProfiles agents,
        boolean taskUsage) {

    public EngineSettings {
        listeners = List.copyOf(listeners);
        sinks = List.copyOf(sinks);
    }

    /** Without sinks and agents. */
    public EngineSettings(
            LogSettings log,
            Path workspace,
            SpawnerChoice spawner,
            PolicySource policy,
            Quotas quotas,
            List<FrameListener.Source> listeners,
            RetentionSettings retention,
            DescriptorBudget descriptors,
            long diskReserveBytes) {
        this(
                log,
                workspace,
                spawner,
                policy,
                quotas,
                listeners,
                retention,
                descriptors,
                diskReserveBytes,
                List.of(),
                AgentProfiles.NONE,
                true);
    }

    /** The same with these sinks. */
    public EngineSettings withSinks(List<ExecEventSink> sinks) {
        return with(sinks, agents, taskUsage);
    }

    /** The same with these agent programs. */
    public EngineSettings withAgents(AgentProfiles agents) {
        return with(sinks, agents, taskUsage);
    }

    /** The same, with or without measuring the CPU time and memory of tasks. */
    public EngineSettings withTaskUsage(boolean taskUsage) {
        return with(sinks, agents, taskUsage);
    }

    private EngineSettings with(List<ExecEventSink> sinks, AgentProfiles agents, boolean taskUsage) {
        return new EngineSettings(
                log,
                workspace,
                spawner,
                policy,
                quotas,
                listeners,
                retention,
                descriptors,
                diskReserveBytes,
                sinks,
                agents,
                taskUsage);
    }

    /** With defaults for everything else. */
    public EngineSettings(LogSettings log, Path workspace) {
        this(
                log,
                workspace,
                SpawnerChoice.AUTOMATIC,
                PolicySource.LOCAL,
                Quotas.DEFAULT,
                List.of(),
                RetentionSettings.DEFAULT,
                new DescriptorBudget(),
                Limits.DISK_RESERVE_BYTES);
    }
}
