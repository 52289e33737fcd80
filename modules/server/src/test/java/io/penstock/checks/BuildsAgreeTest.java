package io.penstock.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;

/**
 * Maven and Gradle build the same. The Gradle build reads modules, dependencies, versions and compiler arguments from the poms, so they
 * differ only where a pom says something that the Gradle build does not read, or where the Gradle build states a library itself.
 */
class BuildsAgreeTest {

    private static final Set<String> SCOPES = Set.of("", "compile", "runtime", "test", "provided");
    private static final Set<String> MEMBERS = Set.of("groupId", "artifactId", "version", "classifier", "scope");

    /** The parts of a pom that the Gradle build reads, or that concern Maven only. */
    private static final Set<String> PARTS = Set.of(
            "modelVersion",
            "parent",
            "groupId",
            "artifactId",
            "version",
            "packaging",
            "name",
            "description",
            "licenses",
            "modules",
            "properties",
            "dependencyManagement",
            "dependencies",
            "build");

    private static final Pattern COORDINATES = Pattern.compile("\"([a-z]+\\.[a-z.]+:[A-Za-z-]+)");

    /** Surefire brings its own launcher; Gradle wants it stated. */
    private static final Set<String> ONLY_GRADLE_STATES = Set.of("org.junit.platform:junit-platform-launcher");

    @Test
    void gradleReadsEverythingThatThePomsSay() {
        assertEquals(Set.of(), notRead(Checkout.ROOT));
    }

    @Test
    void gradleStatesNoLibraryOfItsOwn() {
        for (String file : List.of("build.gradle.kts", "settings.gradle.kts")) {
            Set<String> stated = COORDINATES
                    .matcher(Checkout.read(Checkout.ROOT.resolve(file)))
                    .results()
                    .map(match -> match.group(1))
                    .collect(Collectors.toSet());
            stated.removeAll(ONLY_GRADLE_STATES);
            assertEquals(Set.of(), stated, file);
        }
    }

    @Test
    void gradleNamesOnlyModulesAndPropertiesOfThePoms() {
        String build = Checkout.read(Checkout.ROOT.resolve("build.gradle.kts"));
        List<Element> poms = Poms.all(Checkout.ROOT);
        Set<String> names =
                poms.stream().map(pom -> Poms.text(pom, "artifactId")).collect(Collectors.toSet());
        Set<String> properties = Poms.at(poms.getFirst(), "properties").stream()
                .flatMap(all -> Poms.children(all).stream())
                .map(Element::getTagName)
                .collect(Collectors.toSet());
        Map.of("\"(?::)?(penstock-[a-z-]+)\"", names, "values\\.getValue\\(\"([^\"]+)\"\\)", properties)
                .forEach((pattern, known) -> {
                    Set<String> used = Pattern.compile(pattern)
                            .matcher(build)
                            .results()
                            .map(match -> match.group(1))
                            .collect(Collectors.toSet());
                    assertTrue(!used.isEmpty() && known.containsAll(used), () -> used + " are not all in " + known);
                });
    }

    /** The check is no better than its power to fail: each row changes a pom to something that the Gradle build does not read. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            modules/server/pom.xml | <scope>runtime</scope> | <scope>system</scope> | penstock-server: the scope system
            modules/server/pom.xml | <scope>runtime</scope> | <optional>true</optional> | penstock-server: optional of a dependency
            modules/engine/pom.xml | </dependencies> | </dependencies><profiles/> | penstock-engine: profiles
            modules/engine/pom.xml | </dependencies> | </dependencies><dependencyManagement/> | penstock-engine: dependencyManagement
            modules/frames/pom.xml | </dependency> | <version>${a.version}</version></dependency> | penstock-frames: a version, which belongs in the top pom
            """)
    void whatGradleDoesNotReadIsFound(String file, String before, String after, String found, @TempDir Path copy)
            throws IOException {
        for (Path pom : Checkout.writtenFiles()) {
            if (pom.endsWith("pom.xml")) {
                Path to = copy.resolve(Checkout.ROOT.relativize(pom));
                Files.createDirectories(to.getParent());
                Files.copy(pom, to);
            }
        }
        String text = Checkout.read(copy.resolve(file));
        assertTrue(text.contains(before), () -> file + " no longer contains " + before);
        Files.writeString(copy.resolve(file), text.replace(before, after));
        assertEquals(Set.of(found), notRead(copy));
    }

    private static Set<String> notRead(Path root) {
        var found = new TreeSet<String>();
        List<Element> poms = Poms.all(root);
        for (Element pom : poms) {
            boolean isTop = pom == poms.getFirst();
            String name = Poms.text(pom, "artifactId");
            for (Element part : Poms.children(pom)) {
                if (!PARTS.contains(part.getTagName())
                        || (!isTop && part.getTagName().equals("dependencyManagement"))) {
                    found.add(name + ": " + part.getTagName());
                }
            }
            for (Element dependency : Poms.at(pom, "dependencies", "dependency")) {
                Poms.children(dependency).stream()
                        .map(Element::getTagName)
                        .filter(member -> !MEMBERS.contains(member))
                        .forEach(member -> found.add(name + ": " + member + " of a dependency"));
                String scope = Poms.text(dependency, "scope");
                if (!SCOPES.contains(scope)) {
                    found.add(name + ": the scope " + scope);
                }
                if (!isTop && !Poms.text(dependency, "version").isEmpty()) {
                    found.add(name + ": a version, which belongs in the top pom");
                }
            }
        }
        return found;
    }
}
