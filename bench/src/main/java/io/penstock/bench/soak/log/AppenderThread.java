package io.penstock.bench.soak.log;

import static io.penstock.bench.soak.log.LogAppender.await;

import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.log.StreamWriter;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.StreamId;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * One thread of an appending process, with its own streams: begins, opens, appends, takes over and closes at random.
 */
final class AppenderThread {

    private static final int OPEN_STREAMS = 12;

    /** Far below the limit of a writer's pending appends. */
    private static final int LONGEST_BURST = 40;

    private record Open(StreamWriter writer, long number) {}

    private record Sent(Future<Frame> frame, FrameBody body) {}

    private final Ledger ledger;
    private final String name;
    private final Random random;
    private final AtomicLong writers;
    private final Map<String, Long> known;
    private final List<String> closed;
    private final List<Open> open = new ArrayList<>();
    private final List<FrameFollower> followers = new ArrayList<>();
    private int begun;

    AppenderThread(Ledger ledger, Orders orders, int thread, AtomicLong writers, Map<String, Long> known) {
        this.ledger = ledger;
        this.name = "soak-" + orders.life() + "-" + thread;
        this.random = new Random(orders.seed() + thread);
        this.writers = writers;
        this.known = known;
        this.closed = new ArrayList<>(known.keySet());
    }

    void run() throws ExecutionException, InterruptedException, TimeoutException {
        while (true) {
            int dice = random.nextInt(100);
            if (open.isEmpty() || dice < 4 && open.size() < OPEN_STREAMS) {
                if (closed.isEmpty() || random.nextInt(3) == 0) {
                    begin();
                } else {
                    goOn(closed.remove(random.nextInt(closed.size())));
                }
            } else if (dice < 7) {
                close(open.remove(random.nextInt(open.size())));
            } else if (dice == 7) {
                takeOver(random.nextInt(open.size()));
            } else if (dice == 8) {
                follow(any());
            } else if (dice < 30) {
                // Mostly no pause, sometimes one in which everything is drained.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(dice == 9 ? random.nextInt(60) : 1));
            } else {
                append(any(), 1 + random.nextInt(random.nextInt(5) == 0 ? LONGEST_BURST : 6));
            }
        }
    }

    private Open any() {
        return open.get(random.nextInt(open.size()));
    }

    private void begin() throws ExecutionException, InterruptedException, TimeoutException {
        StreamId stream = StreamId.task(name + "-" + begun++);
        StreamWriter writer = await(
                random.nextBoolean()
                        ? ledger.frames().create(stream)
                        : ledger.frames()
                                .open(stream)
                                .recover(e -> ledger.frames().create(stream)));
        AppenderOutput.print(AppenderOutput.BEGUN + stream.id());
        open.add(new Open(writer, writers.incrementAndGet()));
    }

    private void goOn(String stream) throws ExecutionException, InterruptedException, TimeoutException {
        StreamWriter writer;
        try {
            writer = await(ledger.frames().open(StreamId.task(stream)));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Failure f && f.code() == FailureCode.DATABASE_UNAVAILABLE) {
                closed.add(stream);
                return;
            }
            throw e;
        }
        long accepted = known.getOrDefault(stream, 0L);
        if (writer.nextSeq() < accepted) {
            AppenderOutput.print(AppenderOutput.WRONG + stream + " continues at " + writer.nextSeq() + ", but below "
                    + accepted + " all was accepted");
        }
        open.add(new Open(writer, writers.incrementAndGet()));
    }

    private void close(Open gone) {
        gone.writer().close();
        String stream = gone.writer().stream().id();
        known.put(stream, gone.writer().nextSeq());
        closed.add(stream);
    }

    /** From then on the old writer must not be able to append. */
    private void takeOver(int index) throws ExecutionException, InterruptedException, TimeoutException {
        Open old = open.get(index);
        StreamWriter writer = await(ledger.frames().takeOver(old.writer().stream()));
        open.set(index, new Open(writer, writers.incrementAndGet()));
        try {
            await(old.writer().append(old.number(), SoakBody.of("a fenced writer", 0, 0)));
            AppenderOutput.print(
                    AppenderOutput.WRONG + "a writer of " + writer.stream() + " appended after another had taken over");
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof Failure f && f.code() == FailureCode.WRITER_FENCED)) {
                throw e;
            }
        }
    }

    private void append(Open to, int count) throws ExecutionException, InterruptedException, TimeoutException {
        String stream = to.writer().stream().id();
        long seq = to.writer().nextSeq();
        var sent = new ArrayList<Sent>();
        for (int i = 0; i < count; i++) {
            FrameBody body = SoakBody.of(stream, seq + i, to.number());
            sent.add(new Sent(to.writer().append(to.number(), body), body));
        }
        var lines = new StringBuilder();
        for (Sent one : sent) {
            Future<Frame> future = one.frame();
            if (!future.isComplete() && !lines.isEmpty()) {
                AppenderOutput.accepted(lines);
                lines.setLength(0);
            }
            Frame frame = future.succeeded() ? future.result() : await(future);
            if (frame.seq() != seq || !frame.body().equals(one.body())) {
                AppenderOutput.print(
                        AppenderOutput.WRONG + stream + " was given " + frame + " where seq " + seq + " was due");
            }
            seq++;
            lines.append(AppenderOutput.ACCEPTED).append(stream).append(' ').append(frame.seq());
            lines.append(' ').append(to.number()).append(' ');
            lines.append(SoakBody.checksum(frame.body())).append('\n');
        }
        AppenderOutput.accepted(lines);
    }

    /** A viewer that pauses now and then; it must see everything once, in order. */
    private void follow(Open stream) {
        if (followers.size() > 6) {
            followers.remove(random.nextInt(followers.size())).cancel();
        }
        long from = random.nextLong(stream.writer().nextSeq() + 1);
        String id = stream.writer().stream().id();
        FrameFollower follower = ledger.frames().follow(stream.writer().stream(), from);
        followers.add(follower);
        long[] next = {from};
        follower.exceptionHandler(e -> {
                    if (!(e instanceof Failure f && f.code() == FailureCode.DATABASE_UNAVAILABLE)) {
                        AppenderOutput.print(AppenderOutput.WRONG + "a follower of " + id + " failed: " + e);
                    }
                })
                .handler(frame -> {
                    if (frame.seq() != next[0]
                            || !frame.body().equals(SoakBody.of(id, frame.seq(), frame.timestampMs()))) {
                        AppenderOutput.print(
                                AppenderOutput.WRONG + "a follower of " + id + " saw " + frame + " at seq " + next[0]);
                    }
                    next[0] = frame.seq() + 1;
                    if ((frame.seq() & 255) == 0) {
                        follower.pause();
                        follower.fetch(256);
                    }
                });
    }
}
