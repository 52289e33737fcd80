package io.penstock.bench.history;

import static io.penstock.bench.log.BenchPostgres.await;

import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.session.SessionApi;
import io.penstock.engine.session.SessionEvent;
import io.penstock.frames.Actor;
import io.penstock.frames.Cause;
import io.penstock.frames.Channel;
import io.penstock.frames.Containment;
import io.penstock.frames.Ending;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.JsonText;
import io.penstock.frames.Keep;
import io.penstock.frames.LogEnd;
import io.penstock.frames.LogRef;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.RecordInput;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Writes the three frames of a task that ran and wrote nothing, as the engine does, many times and in the past. */
public final class PastTasks {

    private static final long DAY_MS = Duration.ofDays(1).toMillis();

    /** What the journal may be ahead of Postgres. */
    private static final long AHEAD_BYTES = 16L << 20;

    /** Every tenth task is of a session, of which there are this many. */
    private static final int SESSIONS = 100;

    /** Ids that are remembered, to ask for. */
    private static final int KNOWN = 10_000;

    private final Ledger ledger;
    private final SessionApi sessions;
    private final AtomicLong clock;
    private final Random random = new Random(7);
    private final String[] known = new String[KNOWN];
    private int count;

    public PastTasks(Ledger ledger, SessionApi sessions, AtomicLong clock) {
        this.ledger = ledger;
        this.sessions = sessions;
        this.clock = clock;
    }

    /** Writes tasks that are spread over the days before now, and returns when Postgres has them. */
    public void write(int tasks, int days, long nowMs) {
        long firstMs = nowMs - days * DAY_MS;
        for (int i = 0; i < tasks; i++) {
            clock.set(firstMs + (long) ((double) i / tasks * days * DAY_MS));
            write(i % 10 == 0 ? "session-" + i / 10 % SESSIONS : null);
            if (i % 1_000 == 0 && ledger.health().undrainedBytes() > AHEAD_BYTES) {
                await(ledger.drained());
            }
        }
        clock.set(nowMs);
        await(ledger.drained());
    }

    private void write(@Nullable String session) {
        String id = UUID.randomUUID().toString();
        if (count < KNOWN) {
            known[count] = id;
        } else if (random.nextInt(count) < KNOWN) {
            known[random.nextInt(KNOWN)] = id;
        }
        count++;
        var stdout = new LogRef(Channel.STDOUT, id + ".stdout", "artifacts/3f/" + id + ".stdout.bytes");
        var stderr = new LogRef(Channel.STDERR, id + ".stderr", "artifacts/c0/" + id + ".stderr.bytes");
        var spec = new ToolTaskSpawned(
                "bash",
                new JsonText("{\"command\":\"make test\"}"),
                "api",
                "tests of the api",
                ExecutionMode.PIPES,
                session,
                List.of(stdout, stderr),
                16L << 20,
                512L << 10,
                Actor.user("http"),
                Containment.CGROUP,
                null,
                RecordInput.DEFAULT,
                Keep.HEAD,
                null,
                false,
                null,
                null);
        long started = clock.get();
        StreamWriter writer = await(ledger.frames().create(StreamId.task(id)));
        Frame spawned = await(writer.append(started, spec));
        if (session != null) {
            await(sessions.record(session, new SessionEvent.TaskStarted(id, spec)));
        }
        Frame running = await(writer.append(started, ToolTaskStatus.running(started)));
        Frame ended = await(writer.append(
                started + 900,
                new ToolTaskStatus(
                        Phase.ENDED,
                        new Ending(Outcome.SUCCEEDED, 0, null),
                        started,
                        started + 900,
                        List.of(new LogEnd(stdout, 0, 0, null), new LogEnd(stderr, 0, 0, null)),
                        null,
                        null,
                        Cause.EXIT,
                        Actor.REAPER)));
        writer.close();
        if (session != null) {
            await(sessions.record(
                    session, new SessionEvent.TaskEnded(id, TaskState.fold(List.of(spawned, running, ended)))));
        }
    }

    /** One of the written tasks. */
    public String any() {
        return known[random.nextInt(Math.min(count, KNOWN))];
    }
}
