package io.penstock.bench;

import io.penstock.bench.attach.AttachSoak;
import io.penstock.bench.load.LoadRun;
import io.penstock.bench.soak.LogSoak;
import io.penstock.bench.soak.QueueSoak;
import java.util.List;

/** Runs one measurement or one torture by its name. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        List<String> words = List.of(args);
        if (words.size() > 1 && words.subList(0, 2).equals(List.of("soak", "queue"))) {
            System.exit(QueueSoak.main(words.subList(2, words.size())));
        }
        if (words.size() > 1 && words.subList(0, 2).equals(List.of("soak", "attach"))) {
            System.exit(AttachSoak.main(words.subList(2, words.size())));
        }
        if (!words.isEmpty() && words.getFirst().equals("soak")) {
            System.exit(LogSoak.main(words.subList(1, words.size())));
        }
        if (!words.isEmpty() && words.getFirst().equals("bench")) {
            System.exit(Measurements.main(words.subList(1, words.size())));
        }
        if (!words.isEmpty() && words.getFirst().equals("load")) {
            System.exit(LoadRun.main(words.subList(1, words.size())));
        }
        System.err.println("There is nothing to run for " + words + " yet.");
        System.exit(2);
    }
}
