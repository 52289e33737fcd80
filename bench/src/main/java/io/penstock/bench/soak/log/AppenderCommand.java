package io.penstock.bench.soak.log;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** The command of an appending process: a small JVM that starts quickly, since it will be killed soon. */
final class AppenderCommand {

    private static final List<String> JVM = List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-Xlog:disable",
            "-Xlog:all=error:stderr",
            "-XX:+UseCompactObjectHeaders",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx96m",
            "-XX:+ExitOnOutOfMemoryError",
            "-Dvertx.disableDnsResolver=true");

    private final String classPath;
    private final Path cache;

    private AppenderCommand(String classPath, Path cache) {
        this.classPath = classPath;
        this.cache = cache;
    }

    /** Puts our own classes into a jar, since the JVM's cache only takes classes from jars. */
    static AppenderCommand in(Path folder) throws IOException {
        var classPath = new ArrayList<String>();
        for (String entry : System.getProperty("java.class.path").split(":")) {
            Path classes = Path.of(entry);
            if (Files.isDirectory(classes)) {
                Path jar = folder.resolve("classes-" + classPath.size() + ".jar");
                pack(classes, jar);
                classPath.add(jar.toString());
            } else if (Files.exists(classes)) {
                classPath.add(entry);
            }
        }
        return new AppenderCommand(String.join(":", classPath), folder.resolve("appender.aot"));
    }

    private static void pack(Path classes, Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                var out = new JarOutputStream(file);
                Stream<Path> all = Files.walk(classes)) {
            for (Path one : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
                out.putNextEntry(new ZipEntry(classes.relativize(one).toString()));
                Files.copy(one, out);
                out.closeEntry();
            }
        }
    }

    /** The command of the first process, which leaves a cache at its orderly end: later ones start in half the time. */
    List<String> forTheFirst(Orders orders) {
        return command("-XX:AOTCacheOutput=" + cache, orders);
    }

    List<String> of(Orders orders) {
        return command("-XX:AOTCache=" + cache, orders);
    }

    private List<String> command(String option, Orders orders) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.add(option);
        command.add("-cp");
        command.add(classPath);
        command.add(LogAppender.class.getName());
        command.addAll(orders.arguments());
        return command;
    }
}
