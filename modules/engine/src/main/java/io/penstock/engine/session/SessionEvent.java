package io.penstock.engine.session;

import io.penstock.frames.Actor;
import io.penstock.frames.Ending;
import io.penstock.frames.RunState;
import io.penstock.frames.SessionFrame;
import io.penstock.frames.SessionProgress;
import io.penstock.frames.SessionTaskEnded;
import io.penstock.frames.SessionTaskStarted;
import io.penstock.frames.SessionWatcherHit;
import io.penstock.frames.SpawnSpec;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskLinks;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskWatcherHit;
import io.penstock.frames.ToolEnded;
import io.penstock.frames.ToolTaskSpawned;
import java.util.Objects;

/** A fact about a task that is recorded in its session's stream too. */
public sealed interface SessionEvent {

    String taskId();

    /** The caller who starts the session if this is its first use. */
    Actor actor();

    /** The frame that records it, after the session's progress so far. */
    SessionFrame frame(SessionProgress before);

    /** A task was accepted. */
    record TaskStarted(String taskId, SpawnSpec spec) implements SessionEvent {

        @Override
        public Actor actor() {
            return spec.actor();
        }

        @Override
        public SessionFrame frame(SessionProgress before) {
            return new SessionTaskStarted(
                    StreamId.task(taskId), spec.toolName(), spec.title(), spec.label(), before.withTaskStarted());
        }
    }

    /**
     * A task has ended.
     *
     * @param delivered whether a caller who waited for it got its result, so that there is nothing left to notify of
     */
    record TaskEnded(String taskId, TaskState last, boolean delivered) implements SessionEvent {

        public TaskEnded(String taskId, TaskState last) {
            this(taskId, last, false);
        }

        public TaskEnded {
            Objects.requireNonNull(last.run().ending(), "a task without an end has not ended");
        }

        @Override
        public Actor actor() {
            return Actor.SERVER;
        }

        @Override
        public SessionFrame frame(SessionProgress before) {
            RunState run = last.run();
            Ending ending = Objects.requireNonNull(run.ending());
            ToolTaskSpawned spec = Objects.requireNonNull(last.spec());
            Long startedAt = run.startedAtMs();
            Long endedAt = run.endedAtMs();
            Long duration = startedAt == null || endedAt == null ? null : Math.max(0, endedAt - startedAt);
            TaskLinks links = spec.links();
            boolean notifies = !delivered && (links == null || links.notifies());
            if (spec.agent() != null || !notifies) {
                return new SessionTaskEnded(
                        StreamId.task(taskId),
                        spec.toolName(),
                        run.number(),
                        ending.outcome(),
                        ending.exitCode(),
                        last.nextSeq() - 1,
                        duration,
                        run.error(),
                        spec.title(),
                        spec.label(),
                        last.result(),
                        notifies,
                        notifies ? before.withTaskEnded() : before.withTaskEndedQuietly());
            }
            return new ToolEnded(
                    StreamId.task(taskId),
                    ending.outcome(),
                    ending.exitCode(),
                    last.nextSeq() - 1,
                    spec.toolName(),
                    duration,
                    run.logs(),
                    run.error(),
                    spec.title(),
                    spec.label(),
                    before.withTaskEnded());
        }
    }

    /** A watcher's pattern matched the output of a task. */
    record WatcherHit(String taskId, TaskWatcherHit hit, long seq) implements SessionEvent {

        @Override
        public Actor actor() {
            return Actor.SERVER;
        }

        @Override
        public SessionWatcherHit frame(SessionProgress before) {
            return new SessionWatcherHit(
                    StreamId.task(taskId),
                    hit.watcherId(),
                    hit.event(),
                    hit.channel(),
                    hit.offset(),
                    hit.matched(),
                    seq,
                    before.withItem());
        }
    }
}
