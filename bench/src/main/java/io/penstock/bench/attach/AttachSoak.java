package io.penstock.bench.attach;

import io.penstock.bench.load.LoadedServer;
import io.penstock.bench.log.Machine;
import io.penstock.bench.soak.SoakFailure;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/** {@code ./penstock soak attach}: viewers who do not read, who come back again and again, who are cut off while they type. */
public final class AttachSoak {

    private static final String USAGE = "usage: ./penstock soak attach [--rounds 3] [--seed 1]";

    private AttachSoak() {}

    /** Runs what the words of a command line ask for. */
    public static int main(List<String> words) throws IOException, InterruptedException {
        int rounds = 3;
        long seed = 1;
        try {
            for (int i = 0; i < words.size(); i += 2) {
                long value = i + 1 < words.size() ? Long.parseLong(words.get(i + 1)) : 0;
                switch (words.get(i)) {
                    case "--rounds" -> rounds = (int) value;
                    case "--seed" -> seed = value;
                    default -> throw new IllegalArgumentException("there is no option " + words.get(i));
                }
            }
        } catch (IllegalArgumentException e) {
            System.err.println("penstock: " + e.getMessage() + "; " + USAGE);
            return 2;
        }
        System.out.println(Machine.now());
        try (LoadedServer server = LoadedServer.start(ServerMemory.OPTION)) {
            try {
                for (int round = 0; round < rounds; round++) {
                    run(server, System.out, seed + round);
                }
                return 0;
            } catch (SoakFailure | IOException e) {
                System.out.println("soak attach: FAILED, " + e.getMessage());
                System.out.println("what the server said last:");
                server.said().forEach(System.out::println);
                return 1;
            }
        }
    }

    private static void run(LoadedServer server, PrintStream out, long seed) throws IOException, InterruptedException {
        var stuck = new StuckViewers(server, 128 << 20);
        stuck.run(out, 200, 0);
        stuck.run(out, 200, 1);
        stuck.run(out, 200, 20);
        var comingBack = new ComingBack(server, seed);
        comingBack.storm(out, 100, 200);
        comingBack.cut(out, 20_000);
    }
}
