package io.penstock.engine.log.postgres;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A program that starts Postgres, prints its process id and waits to be killed. */
final class PostgresHolder {

    private PostgresHolder() {}

    public static void main(String[] args) throws Exception {
        EmbeddedPostgres postgres = EmbeddedPostgres.start(TestDatabase.settings(Path.of(args[0])));
        System.out.println(postgres.pid());
        new CountDownLatch(1).await();
    }
}
