package io.penstock.ground;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Small sources, written and compiled by a compiler of its own process, as the build does it. */
final class Snippets {
    private static final Pattern PACKAGE = Pattern.compile("package ([\\w.]+);");
    private static final Pattern TYPE = Pattern.compile("(?:class|interface|record) (\\w+)");

    /** What javac ended with and all that it said. */
    record Compilation(int exitCode, String output, Path classes) {}

    private Snippets() {}

    /** Compiles the sources, each one type in a package that it names, into a folder below the given one. */
    static Compilation compile(Path folder, List<String> arguments, List<String> sources)
            throws IOException, InterruptedException {
        Path classes = Files.createDirectories(folder.resolve("classes"));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home", ""), "bin", "javac").toString());
        command.addAll(arguments);
        command.addAll(List.of("-d", classes.toString()));
        for (String source : sources) {
            Path file = folder.resolve(
                    "src", (first(PACKAGE, source) + "." + first(TYPE, source)).replace('.', '/') + ".java");
            Files.createDirectories(file.getParent());
            Files.writeString(file, source);
            command.add(file.toString());
        }
        Path output = folder.resolve("output");
        Process javac = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new Compilation(javac.waitFor(), Files.readString(output), classes);
    }

    private static String first(Pattern pattern, String source) {
        return pattern.matcher(source)
                .results()
                .map((MatchResult match) -> match.group(1))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no " + pattern + " in: " + source));
    }
}
