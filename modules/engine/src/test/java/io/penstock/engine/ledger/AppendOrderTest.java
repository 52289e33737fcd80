package io.penstock.engine.ledger;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.engine.log.Bodies;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.FrameLogContract;
import io.penstock.engine.log.ListenedLog;
import io.penstock.engine.log.StreamWriter;
import io.penstock.frames.Frame;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The order in which a writer and its listeners learn of accepted frames. */
class AppendOrderTest {

    private final Vertx vertx = Vertx.vertx();
    private final Vertx ofTheCaller = Vertx.vertx();
    private final LedgerFolder folder = new LedgerFolder();

    @AfterEach
    void closeAll() {
        await(vertx.close());
        await(ofTheCaller.close());
        folder.close();
    }

    @Test
    void immediateAppendCompletesAfterEarlierWaitingOnes() throws Exception {
        Ledger ledger = await(Ledger.open(vertx, folder.settings().withJournalSizes(512 << 10, 1 << 20)));
        List<Long> heard = Collections.synchronizedList(new ArrayList<>());
        FrameLog log = new ListenedLog(ledger.frames(), List.of(stream -> frame -> heard.add(frame.seq())));
        StreamWriter writer = await(log.create(FrameLogContract.fresh()));

        List<Long> completed = Collections.synchronizedList(new ArrayList<>());
        var held = new CompletableFuture<Void>();
        var room = new CountDownLatch(1);
        var over = new CompletableFuture<Frame>();
        ofTheCaller.runOnContext(here -> {
            Future<Frame> append = append(writer, completed);
            while (append.isComplete()) {
                append = append(writer, completed);
            }
            held.complete(null);
            try {
                room.await();
            } catch (InterruptedException e) {
                over.completeExceptionally(e);
            }
            // Many, to show that waiting appends do not nest on the stack.
            for (int i = 0; i < 5_000; i++) {
                append = append(writer, completed);
            }
            append.onSuccess(over::complete).onFailure(over::completeExceptionally);
        });
        held.get(20, TimeUnit.SECONDS);
        while (ledger.health().waitingWrites() > 0) {
            Thread.onSpinWait();
        }
        await(ledger.drained());
        room.countDown();

        long last = over.get(20, TimeUnit.SECONDS).seq();
        List<Long> all = LongStream.rangeClosed(0, last).boxed().toList();
        assertEquals(all, heard);
        assertEquals(all, completed);
        await(ledger.close());
    }

    private static Future<Frame> append(StreamWriter writer, List<Long> completed) {
        return writer.append(1, Bodies.delta(0, 512)).onSuccess(frame -> completed.add(frame.seq()));
    }
}
