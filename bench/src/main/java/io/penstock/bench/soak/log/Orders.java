package io.penstock.bench.soak.log;

import io.penstock.engine.ledger.LedgerSettings;
import io.vertx.pgclient.PgConnectOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The parameters of an appending process.
 *
 * @param life of the process, counted over the soak; the first digits of its writers' numbers
 * @param streams a file with a stream and the number of its accepted frames on each line: those it may continue
 */
record Orders(
        Path journal,
        String postgres,
        String password,
        int segmentBytes,
        long backlogBytes,
        long seed,
        int life,
        Path streams) {

    List<String> arguments() {
        return List.of(
                journal.toString(),
                postgres,
                password,
                Integer.toString(segmentBytes),
                Long.toString(backlogBytes),
                Long.toString(seed),
                Integer.toString(life),
                streams.toString());
    }

    static Orders of(String[] arguments) {
        if (arguments.length != 8) {
            throw new IllegalArgumentException("an appender takes 8 arguments, not " + List.of(arguments));
        }
        return new Orders(
                Path.of(arguments[0]),
                arguments[1],
                arguments[2],
                Integer.parseInt(arguments[3]),
                Long.parseLong(arguments[4]),
                Long.parseLong(arguments[5]),
                Integer.parseInt(arguments[6]),
                Path.of(arguments[7]));
    }

    LedgerSettings settings() {
        return LedgerSettings.of(journal, connection(postgres, password)).withJournalSizes(segmentBytes, backlogBytes);
    }

    static PgConnectOptions connection(String postgres, String password) {
        return new PgConnectOptions()
                .setHost(postgres)
                .setPort(5432)
                .setUser("penstock")
                .setPassword(password)
                .setDatabase("penstock");
    }

    Map<String, Long> known() throws IOException {
        var known = new LinkedHashMap<String, Long>();
        for (String line : Files.readAllLines(streams)) {
            String[] words = line.split(" ");
            known.put(words[0], Long.parseLong(words[1]));
        }
        return known;
    }
}
