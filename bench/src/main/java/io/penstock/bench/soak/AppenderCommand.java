package io.penstock.bench.soak;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How an appending process is started: a small JVM that is up quickly, for it will not live long. */
final class AppenderCommand {

    private static final List<String> JVM = List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseCompactObjectHeaders",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "-Xmx96m",
            "-XX:+ExitOnOutOfMemoryError",
            "-Dio.netty.leakDetectionLevel=disabled",
            "-Dvertx.disableDnsResolver=true");

    private AppenderCommand() {}

    static List<String> of(Orders orders) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(LogAppender.class.getName());
        command.addAll(orders.arguments());
        return command;
    }
}
