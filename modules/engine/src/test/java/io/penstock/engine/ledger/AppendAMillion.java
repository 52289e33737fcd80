package io.penstock.engine.ledger;

import static io.penstock.testbed.Await.await;

import io.penstock.engine.log.Bodies;
import io.penstock.engine.log.StreamWriter;
import io.penstock.frames.Frame;
import io.penstock.frames.StreamId;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.nio.file.Path;
import java.util.List;

/** A program that appends a million frames to one stream while they are drained, in the heap that it is given. */
public final class AppendAMillion {

    private static final int FRAMES = 1_000_000;

    private AppendAMillion() {}

    public static void main(String[] args) {
        Vertx vertx = Vertx.vertx();
        PgConnectOptions database = new PgConnectOptions()
                .setHost(args[1])
                .setPort(5432)
                .setUser("penstock")
                .setPassword(args[3])
                .setDatabase("penstock");
        Ledger ledger = await(
                Ledger.open(vertx, LedgerSettings.of(Path.of(args[0]), database).withSchema(args[2])));
        StreamId stream = StreamId.task("long");
        StreamWriter writer = await(ledger.frames().create(stream));
        for (int i = 0; i < FRAMES; i++) {
            await(writer.append(i, Bodies.delta(i, 1)));
        }
        await(ledger.drained());
        List<Frame> last = await(ledger.frames().read(stream, FRAMES - 1, 10)).frames();
        if (last.size() == 1 && last.getFirst().seq() == FRAMES - 1) {
            System.out.println(writer.nextSeq() + " frames");
        }
        await(ledger.close());
        System.exit(0);
    }
}
