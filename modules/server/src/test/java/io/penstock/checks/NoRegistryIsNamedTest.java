package io.penstock.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Everyone builds from the registries of their own configuration, so no file may say where one is. */
class NoRegistryIsNamedTest {
    private static final Pattern RESOLVED_PACKAGE = Pattern.compile("\"resolved\"\\s*:");
    private static final Pattern MAVEN_REPOSITORY =
            Pattern.compile("<(repository|pluginRepository|mirror|distributionManagement)>");
    private static final Pattern GRADLE_REPOSITORY = Pattern.compile("\\b(maven|ivy)\\s*[({]|\\burl\\s*=|\\buri\\(");
    private static final Pattern NPM_REGISTRY = Pattern.compile("(?m)^\\s*(@[^:]+:)?registry\\s*=|publishConfig");

    @Test
    void theLockFileOfTheWebClientHasNoResolvedAddress() {
        Path lock = Checkout.ROOT.resolve("web-client/package-lock.json");
        assertTrue(Checkout.read(lock).contains("\"integrity\""), "what is installed is still known by its digest");
        assertEquals(List.of(), filesWith(RESOLVED_PACKAGE, "package-lock.json"::equals));
    }

    @Test
    void noPomNamesARepository() {
        assertEquals(
                List.of(), filesWith(MAVEN_REPOSITORY, name -> name.equals("pom.xml") || name.equals("settings.xml")));
    }

    @Test
    void noGradleFileNamesARepositoryByItsAddress() {
        assertEquals(List.of(), filesWith(GRADLE_REPOSITORY, name -> name.endsWith(".gradle.kts")));
    }

    @Test
    void npmIsNotToldWhereToGo() {
        assertEquals(List.of(), filesWith(NPM_REGISTRY, name -> name.equals(".npmrc") || name.equals("package.json")));
    }

    @Test
    void thereIsNoWrapperThatWouldLoadABuildTool() {
        assertEquals(
                List.of(),
                Checkout.writtenFiles().stream()
                        .filter(file -> Pattern.matches(
                                "(mvnw|gradlew).*|.*-wrapper\\.(properties|jar)",
                                file.getFileName().toString()))
                        .toList());
    }

    private static List<Path> filesWith(Pattern forbidden, Predicate<String> name) {
        List<Path> candidates = Checkout.writtenFiles().stream()
                .filter(file -> name.test(file.getFileName().toString()))
                .toList();
        assertTrue(!candidates.isEmpty(), "there is no such file to look into");
        return candidates.stream()
                .filter(file -> forbidden.matcher(Checkout.read(file)).find())
                .toList();
    }
}
