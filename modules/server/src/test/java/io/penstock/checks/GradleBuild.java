package io.penstock.checks;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the Gradle files say, as sentences that {@link MavenBuild} says in the same words. It reads lines, not Kotlin, and refuses a
 * line where it expects one that it knows, so that nothing is passed over in silence.
 */
final class GradleBuild {
    private static final Pattern MODULE = Pattern.compile("module\\(\"([^\"]+)\", \"([^\"]+)\"\\)");
    private static final Pattern GROUP_OR_VERSION = Pattern.compile(" {4}(group|version) = \"([^\"]+)\"");
    private static final Pattern LIST = Pattern.compile("val (checks|compilerOptions) = listOf\\(");
    private static final Pattern LIST_ITEM = Pattern.compile(" {4}\"([^\"]+)\",");
    private static final Pattern PROJECT = Pattern.compile("project\\(\":([^\"]+)\"\\) \\{");
    private static final Pattern LIBRARY_NEEDED = Pattern.compile(" {8}\"(\\w+)\"\\(rootProject\\.libs\\.([\\w.]+)\\)");
    private static final Pattern CLASSIFIED_NEEDED = Pattern.compile(
            " {8}\"(\\w+)\"\\(variantOf\\(rootProject\\.libs\\.([\\w.]+)\\) \\{ classifier\\(\"([^\"]+)\"\\) }\\)");
    private static final Pattern PLATFORM_NEEDED =
            Pattern.compile(" {8}\"\\w+\"\\(platform\\(rootProject\\.libs\\.([\\w.]+)\\)\\)");
    private static final Pattern MODULE_NEEDED = Pattern.compile(" {8}\"(\\w+)\"\\(project\\(\":([^\"]+)\"\\)\\)");
    private static final Pattern VERSION = Pattern.compile("([\\w-]+) = \"([^\"]+)\"");
    private static final Pattern LIBRARY =
            Pattern.compile("([\\w-]+) = \\{ module = \"([^\"]+)\"(?:, version\\.ref = \"([^\"]+)\")? }");

    /** Gradle wants it stated; surefire brings its own. */
    private static final String ONLY_GRADLE_STATES =
            "every module: testRuntimeOnly org.junit.platform:junit-platform-launcher";

    private final Map<String, String> libraries = new TreeMap<>();
    private final SortedSet<String> sentences = new TreeSet<>();
    private String group = "";

    private GradleBuild() {}

    static SortedSet<String> sentences(Path root) {
        var build = new GradleBuild();
        build.readCatalog(root.resolve("gradle/libs.versions.toml"));
        for (String line : lines(root.resolve("settings.gradle.kts"))) {
            Matcher module = MODULE.matcher(line);
            if (module.matches()) {
                build.sentences.add("module " + module.group(1) + " in " + module.group(2));
            }
        }
        build.readBuild(root.resolve("build.gradle.kts"));
        build.sentences.remove(ONLY_GRADLE_STATES);
        return build.sentences;
    }

    private void readCatalog(Path file) {
        Map<String, String> versions = new TreeMap<>();
        String section = "";
        for (String line : lines(file)) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            if (line.startsWith("[")) {
                section = line;
            } else if (section.equals("[versions]")) {
                Matcher version = expect(VERSION, line, file);
                versions.put(version.group(1), version.group(2));
                sentences.add("version of " + version.group(1) + ": " + version.group(2));
            } else if (section.equals("[libraries]")) {
                Matcher library = expect(LIBRARY, line, file);
                libraries.put(library.group(1).replaceAll("[-_]", "."), library.group(2));
                if (library.group(3) != null) {
                    sentences.add(
                            "version of %s: %s".formatted(library.group(2), known(versions, library.group(3), file)));
                }
            }
        }
    }

    private void readBuild(Path file) {
        String module = "";
        String list = "";
        boolean dependencies = false;
        for (String line : lines(file)) {
            Matcher groupOrVersion = GROUP_OR_VERSION.matcher(line);
            Matcher startOfList = LIST.matcher(line);
            Matcher startOfProject = PROJECT.matcher(line);
            if (groupOrVersion.matches()) {
                sentences.add(groupOrVersion.group(1) + " " + groupOrVersion.group(2));
                group = groupOrVersion.group(1).equals("group") ? groupOrVersion.group(2) : group;
            } else if (startOfList.matches()) {
                list = startOfList.group(1);
            } else if (line.equals(")")) {
                list = "";
            } else if (!list.isEmpty()) {
                // Maven hands what is meant for the compiler's own JVM through javac, marked with a -J.
                sentences.add("javac " + (list.equals("checks") ? "" : "-J")
                        + expect(LIST_ITEM, line, file).group(1));
            } else if (line.equals("subprojects {")) {
                module = "every module";
            } else if (startOfProject.matches()) {
                module = startOfProject.group(1);
            } else if (line.equals("    dependencies {")) {
                dependencies = true;
            } else if (line.equals("    }")) {
                dependencies = false;
            } else if (dependencies) {
                readDependency(module, line, file);
            }
        }
    }

    private void readDependency(String module, String line, Path file) {
        Matcher library = LIBRARY_NEEDED.matcher(line);
        Matcher classified = CLASSIFIED_NEEDED.matcher(line);
        Matcher platform = PLATFORM_NEEDED.matcher(line);
        if (library.matches()) {
            sentences.add("%s: %s %s".formatted(module, library.group(1), known(libraries, library.group(2), file)));
        } else if (classified.matches()) {
            String coordinates = known(libraries, classified.group(2), file) + ":" + classified.group(3);
            sentences.add("%s: %s %s".formatted(module, classified.group(1), coordinates));
        } else if (platform.matches()) {
            sentences.add("platform " + known(libraries, platform.group(1), file));
        } else {
            Matcher ours = expect(MODULE_NEEDED, line, file);
            sentences.add("%s: %s %s:%s".formatted(module, ours.group(1), group, ours.group(2)));
        }
    }

    private static Matcher expect(Pattern pattern, String line, Path file) {
        Matcher matcher = pattern.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "%s has a line that is not understood here: '%s'. It would have to look like %s."
                            .formatted(file.getFileName(), line, pattern));
        }
        return matcher;
    }

    private static String known(Map<String, String> names, String name, Path file) {
        String value = names.get(name);
        if (value == null) {
            throw new IllegalArgumentException(
                    "%s names %s, which gradle/libs.versions.toml does not have.".formatted(file.getFileName(), name));
        }
        return value;
    }

    private static List<String> lines(Path file) {
        return Checkout.read(file).lines().toList();
    }
}
