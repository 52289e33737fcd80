package io.penstock.checks;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;

/** Small sources, written and compiled to check the result. */
final class Snippets {
    private static final Pattern PACKAGE = Pattern.compile("package ([\\w.]+);");
    private static final Pattern TYPE = Pattern.compile("(?:class|interface|record) (\\w+)");

    /** The exit code of javac, and its output. */
    record Compilation(int exitCode, String output, Path classes) {}

    private Snippets() {}

    /** Compiles the sources, each one type in a package that it names, by the compiler of this very JVM: that is quick. */
    static Compilation compile(Path folder, List<String> sources) throws IOException {
        Path classes = Files.createDirectories(folder.resolve("classes"));
        var said = new StringWriter();
        var javac = ToolProvider.findFirst("javac").orElseThrow();
        int exitCode = javac.run(
                new PrintWriter(said),
                new PrintWriter(said),
                arguments(folder, classes, sources).toArray(String[]::new));
        return new Compilation(exitCode, said.toString(), classes);
    }

    /** The same in a process of its own, with settings that a running JVM cannot change: a compiler with other options of its JVM. */
    static Compilation compileApart(Path folder, List<String> options, List<String> sources)
            throws IOException, InterruptedException {
        Path classes = Files.createDirectories(folder.resolve("classes"));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home", ""), "bin", "javac").toString());
        command.addAll(options);
        command.addAll(arguments(folder, classes, sources));
        Path said = folder.resolve("said");
        Process javac = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        return new Compilation(javac.waitFor(), Files.readString(said), classes);
    }

    private static List<String> arguments(Path folder, Path classes, List<String> sources) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-d", classes.toString()));
        for (String source : sources) {
            Path file = folder.resolve(
                    "src", (first(PACKAGE, source) + "." + first(TYPE, source)).replace('.', '/') + ".java");
            Files.createDirectories(file.getParent());
            Files.writeString(file, source);
            arguments.add(file.toString());
        }
        return arguments;
    }

    private static String first(Pattern pattern, String source) {
        return pattern.matcher(source)
                .results()
                .map((MatchResult match) -> match.group(1))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no " + pattern + " in: " + source));
    }
}
