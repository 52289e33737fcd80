package io.penstock.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Maven and Gradle build the same modules from the same libraries in the same versions, with the same checks. */
class BuildsAgreeTest {
    @Test
    void mavenAndGradleSayTheSame() {
        assertEquals(List.of(), differences(Checkout.ROOT));
    }

    @Test
    void allKindsOfSentencesAreRead() {
        SortedSet<String> sentences = MavenBuild.sentences(Checkout.ROOT);
        for (String start : List.of(
                "group io.penstock",
                "version 0",
                "version of vertx: ",
                "version of info.picocli:picocli: ",
                "platform io.vertx:vertx-dependencies",
                "module penstock-engine in modules/engine",
                "every module: testImplementation org.junit.jupiter:junit-jupiter",
                "every module: annotationProcessor com.uber.nullaway:nullaway",
                "penstock-server: runtimeOnly io.penstock:penstock-web-client",
                "javac -Werror",
                "javac -J--add-exports=")) {
            assertTrue(sentences.stream().anyMatch(sentence -> sentence.startsWith(start)), start);
        }
    }

    /** The comparison is no better than its power to fail: each row changes one file and names what must be found out. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            gradle/libs.versions.toml | picocli = "4.7.7" | picocli = "4.7.6" | only Gradle: version of info.picocli:picocli: 4.7.6
            gradle/libs.versions.toml | palantir-java-format = "2.103.0" | palantir-java-format = "2.0" | only Maven: version of palantir-java-format: 2.103.0
            settings.gradle.kts | "penstock-bench", "bench" | "penstock-bench", "benches" | only Maven: module penstock-bench in bench
            settings.gradle.kts | module("penstock-web-client", "web-client") | // | only Maven: module penstock-web-client in web-client
            build.gradle.kts | "api"(rootProject.libs.xz) | "runtimeOnly"(rootProject.libs.xz) | only Gradle: penstock-engine: runtimeOnly org.tukaani:xz
            build.gradle.kts | "api"(project(":penstock-frames")) | "api"(project(":penstock-server")) | only Maven: penstock-engine: api io.penstock:penstock-frames
            build.gradle.kts | "-Werror" | "-Wnone" | only Maven: javac -Werror
            build.gradle.kts | 0.1.0-SNAPSHOT | 0.2.0 | only Gradle: version 0.2.0
            pom.xml | <module>web-client</module> | <!-- --> | only Gradle: module penstock-web-client in web-client
            pom.xml | <vertx.version>5.0.12 | <vertx.version>5.0.11 | only Maven: version of io.vertx:vertx-dependencies: 5.0.11
            modules/server/pom.xml | <scope>runtime</scope> | <scope>provided</scope> | only Maven: penstock-server: compileOnly org.slf4j:slf4j-simple
            modules/engine/pom.xml | <artifactId>vertx-core</artifactId> | <artifactId>vertx-web</artifactId> | only Maven: penstock-engine: api io.vertx:vertx-web
            bench/pom.xml | jmh-generator-annprocess | jmh-generator-asm | only Gradle: penstock-bench: annotationProcessor org.openjdk.jmh:jmh-generator-annprocess
            """)
    void aDifferenceIsFoundAndNamed(String file, String before, String after, String difference, @TempDir Path copy)
            throws IOException {
        copyBuildFiles(copy);
        String text = Checkout.read(copy.resolve(file));
        assertTrue(
                text.contains(before),
                () -> file + " no longer contains " + before + ": choose another thing to change.");
        Files.writeString(copy.resolve(file), text.replace(before, after));
        List<String> differences = differences(copy);
        assertTrue(differences.contains(difference), () -> "found only " + differences);
    }

    @Test
    void aDependencyWrittenInAnotherWayIsRefused(@TempDir Path copy) throws IOException {
        copyBuildFiles(copy);
        Path build = copy.resolve("build.gradle.kts");
        Files.writeString(
                build, Checkout.read(build).replace("\"api\"(rootProject.libs.xz)", "\"api\"(\"org.tukaani:xz:1.9\")"));
        var refused = assertThrows(IllegalArgumentException.class, () -> GradleBuild.sentences(copy));
        assertTrue(String.valueOf(refused.getMessage()).contains("org.tukaani:xz:1.9"), refused::getMessage);
    }

    private static List<String> differences(Path root) {
        SortedSet<String> maven = MavenBuild.sentences(root);
        SortedSet<String> gradle = GradleBuild.sentences(root);
        List<String> differences = new ArrayList<>();
        maven.stream().filter(said -> !gradle.contains(said)).forEach(said -> differences.add("only Maven: " + said));
        gradle.stream().filter(said -> !maven.contains(said)).forEach(said -> differences.add("only Gradle: " + said));
        return differences;
    }

    private static void copyBuildFiles(Path copy) throws IOException {
        for (Path file : Checkout.writtenFiles()) {
            String name = file.getFileName().toString();
            if (name.equals("pom.xml") || name.endsWith(".gradle.kts") || name.equals("libs.versions.toml")) {
                Path to = copy.resolve(Checkout.ROOT.relativize(file));
                Files.createDirectories(to.getParent());
                Files.copy(file, to);
            }
        }
    }
}
