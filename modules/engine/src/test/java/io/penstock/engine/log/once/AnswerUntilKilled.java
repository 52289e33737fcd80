package io.penstock.engine.log.once;

import static io.penstock.testbed.Await.await;

import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerSettings;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/**
 * A program that runs requests with keys, one after the other, and prints what it does, until it is killed. It starts
 * when it reads a line. Of four keys, one is answered, one released, one answered after a delay, and one never
 * answered.
 */
public final class AnswerUntilKilled {

    private AnswerUntilKilled() {}

    public static void main(String[] args) throws Exception {
        Vertx vertx = Vertx.vertx();
        var database = new PgConnectOptions()
                .setHost(args[1])
                .setPort(Integer.parseInt(args[2]))
                .setUser(args[3])
                .setPassword(args[7])
                .setDatabase(args[4]);
        LedgerSettings settings = LedgerSettings.of(Path.of(args[0]), database)
                .withSchema(args[5])
                .withJournalSizes(1 << 20, 64 << 20);
        String round = args[6];
        Ledger ledger = await(Ledger.open(vertx, settings));
        say("opened ledger");
        System.in.read();
        for (int i = 0; ; i++) {
            String key = round + "-" + i;
            Future<byte[]> call = ledger.idempotency().once(Requests.ALICE, key, Requests.bytes("create"), () -> {
                say("began " + key);
                return switch (key.charAt(key.length() - 1) % 4) {
                    case 0 -> Future.failedFuture("full");
                    case 1 -> Promise.<byte[]>promise().future();
                    case 2 -> vertx.timer(1).map(late -> Requests.bytes("answer of " + key));
                    default -> Future.succeededFuture(Requests.bytes("answer of " + key));
                };
            });
            if (key.charAt(key.length() - 1) % 4 != 1) {
                var told = new CountDownLatch(1);
                call.onComplete(done -> {
                    say((done.succeeded() ? "answered " : "failed ") + key);
                    told.countDown();
                });
                told.await();
            }
        }
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
