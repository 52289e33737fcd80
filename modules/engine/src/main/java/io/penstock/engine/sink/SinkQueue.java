package io.penstock.engine.sink;

import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.SpawnSpec;
import io.penstock.frames.TaskFrame;
import io.penstock.frames.TaskWatcherHit;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events that one sink has yet to be told. Output of a task that follows its own is one event, and a full queue counts what it leaves
 * out. Frames are offered on the threads of tasks; the sink is called on a thread of its own.
 */
final class SinkQueue {

    private static final Logger log = LoggerFactory.getLogger(SinkQueue.class);

    /** To read a snippet; a database that is away gives none. */
    private static final long SNIPPET_MS = 5_000;

    /** At a stop of the engine, for what is in the queue. */
    private static final Duration STOP = Duration.ofSeconds(2);

    private static final class Entry {
        Frame frame;

        Entry(Frame frame) {
            this.frame = frame;
        }
    }

    private final ExecEventSink sink;
    private final ArrayDeque<Entry> waiting = new ArrayDeque<>();

    /** The last entry of each task, if it is output and nothing else of the task came after it. */
    private final Map<String, Entry> lastOutput = new HashMap<>();

    private @Nullable Thread thread;
    private @Nullable Context last;
    private long missed;
    private boolean stopped;

    SinkQueue(ExecEventSink sink) {
        this.sink = sink;
    }

    void start(TaskApi tasks) {
        thread = Thread.ofVirtual()
                .name("sink " + sink.getClass().getSimpleName())
                .start(() -> run(tasks));
    }

    void stop() {
        synchronized (this) {
            stopped = true;
            notifyAll();
        }
        Thread running = thread;
        try {
            if (running != null && !running.join(STOP)) {
                running.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized void offer(Frame frame) {
        boolean output = frame.body() instanceof ToolTaskOutputDelta;
        if (!output && !(frame.body() instanceof ToolTaskStatus) && !(frame.body() instanceof TaskWatcherHit)) {
            return;
        }
        String task = frame.stream().id();
        Entry last = lastOutput.get(task);
        if (output && last != null) {
            last.frame = frame;
            return;
        }
        // Room is left for statuses, so that a flood of matches hides no end.
        int most = frame.body() instanceof ToolTaskStatus ? 2 * Limits.SINK_EVENTS : Limits.SINK_EVENTS;
        if (waiting.size() >= most) {
            missed++;
            return;
        }
        var entry = new Entry(frame);
        waiting.add(entry);
        if (output) {
            lastOutput.put(task, entry);
        } else {
            lastOutput.remove(task);
        }
        notifyAll();
    }

    /** The next frame, preceded by what was missed; null at the end. */
    private synchronized @Nullable Frame take() throws InterruptedException {
        while (waiting.isEmpty() && !stopped) {
            wait();
        }
        Entry next = waiting.poll();
        if (next == null) {
            return null;
        }
        lastOutput.remove(next.frame.stream().id(), next);
        return next.frame;
    }

    private synchronized long takeMissed() {
        long count = missed;
        missed = 0;
        return count;
    }

    private void run(TaskApi tasks) {
        try {
            for (Frame frame = take(); frame != null; frame = take()) {
                long left = takeMissed();
                if (left > 0) {
                    call(() -> sink.missed(left));
                }
                tell(tasks, frame);
            }
        } catch (InterruptedException e) {
            log.warn(
                    "The sink {} was too slow to be told everything before the stop",
                    sink.getClass().getName());
        }
    }

    private void tell(TaskApi tasks, Frame frame) {
        String task = frame.stream().id();
        // The matches of one piece of output have the same snippet.
        long endSeq = frame.body() instanceof TaskWatcherHit hit ? hit.frameSeq() + 1 : frame.seq() + 1;
        Context about = last;
        if (about == null || !about.task().equals(task) || about.endSeq() != endSeq) {
            about = context(tasks, task, endSeq);
            last = about;
        }
        tell(about, frame);
    }

    private void tell(Context about, Frame frame) {
        switch (frame.body()) {
            case ToolTaskStatus status -> call(() -> sink.statusChanged(about.event(frame, status)));
            case TaskWatcherHit hit -> call(() -> sink.watcherHit(about.event(frame, hit)));
            case ToolTaskOutputDelta output -> call(() -> sink.output(about.event(frame, output)));
            default -> throw new IllegalStateException(frame.typeName() + " was not to be queued");
        }
    }

    private record Context(
            String task,
            long endSeq,
            @Nullable String session,
            @Nullable String snippet) {

        <B extends TaskFrame> ExecEventSink.Event<B> event(Frame frame, B body) {
            return new ExecEventSink.Event<>(
                    frame.stream().id(), session, frame.seq(), frame.timestampMs(), body, snippet);
        }
    }

    /** What the task's first frame and its output say. */
    private static Context context(TaskApi tasks, String task, long endSeq) {
        try {
            return tasks.frames(task, 0, 1)
                    .compose(first -> switch (first.frames().getFirst().body()) {
                        case ToolTaskSpawned spec ->
                            tasks.snippet(task, spec, endSeq)
                                    .map(snippet -> new Context(task, endSeq, spec.originSessionId(), snippet));
                        case ToolTaskStatus refused ->
                            Future.succeededFuture(new Context(task, endSeq, session(refused), null));
                        default -> Future.succeededFuture(new Context(task, endSeq, null, null));
                    })
                    .timeout(SNIPPET_MS, TimeUnit.MILLISECONDS)
                    .await();
        } catch (RuntimeException e) {
            log.warn("A sink gets no snippet of the task {}: {}", task, e.getMessage());
            return new Context(task, endSeq, null, null);
        }
    }

    private static @Nullable String session(ToolTaskStatus refused) {
        SpawnSpec asked = refused.refused();
        return asked == null ? null : asked.originSessionId();
    }

    /** A sink that throws must not take its thread along. */
    private void call(Runnable told) {
        try {
            told.run();
        } catch (RuntimeException | Error e) {
            log.error("The sink {} failed", sink.getClass().getName(), e);
        }
    }
}
