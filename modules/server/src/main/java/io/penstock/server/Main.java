package io.penstock.server;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of the server. */
@Command(name = "penstock", mixinStandardHelpOptions = true, version = "0.1.0", subcommands = Main.Up.class)
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    /** Starts the server and runs until it is told to end. */
    @Command(name = "up", mixinStandardHelpOptions = true, description = "Starts the server.")
    static final class Up implements Callable<Integer> {
        @Option(names = "--host", defaultValue = "127.0.0.1", description = "Address to listen on (${DEFAULT-VALUE}).")
        private String host = "127.0.0.1";

        @Option(names = "--port", defaultValue = "7341", description = "Port to listen on (${DEFAULT-VALUE}).")
        private int port = 7341;

        @Override
        public Integer call() throws InterruptedException {
            var ended = new CountDownLatch(1);
            Runtime.getRuntime().addShutdownHook(new Thread(ended::countDown));
            System.out.printf("Penstock is ready at http://%s:%d%n", host, port);
            ended.await();
            return 0;
        }
    }
}
