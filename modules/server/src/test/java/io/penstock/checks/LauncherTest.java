package io.penstock.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher builds when it must and counts what is true. It runs in a checkout of its own, in a folder with a space, whose Maven is
 * a script that notes each call and behaves as the test needs: the real one would build for minutes.
 */
class LauncherTest {
    private static final String MAIN = """
            package io.penstock.server;
            public class Main { public static void main(String[] a) { System.out.println("ran " + String.join(",", a)); } }
            """;
    private static final String SUREFIRE = """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuite xmlns:xsi="x" name="A" time="0.1" tests="5" errors="1" skipped="1" failures="1">
              <testcase name="a"><error><![CDATA[a
            <testsuite tests="99" failures="0">
            ]]></error></testcase>
              <testcase name="b"/>
            </testsuite>
            """;
    private static final String VITEST = """
            <testsuites name="vitest tests" tests="4" failures="1" errors="0">
                <testsuite name="x" tests="3" failures="0" errors="0" skipped="0"></testsuite>
                <testsuite name="y" tests="1" failures="1" errors="0" skipped="0"></testsuite>
            </testsuites>
            """;

    private record Ended(int exitCode, String output) {
        String lastLine() {
            return output.lines().toList().getLast();
        }
    }

    @TempDir
    Path folder = Path.of("");

    private Path checkout = Path.of("");
    private String javaOptions = "";

    @BeforeEach
    void makeACheckout() throws IOException {
        checkout = folder.resolve("a checkout");
        write("modules/frames/src/A.java", "class A {}");
        write("modules/server/pom.xml", "");
        write("bench/pom.xml", "");
        write("web-client/package.json", "{}");
        write("pom.xml", "");
        write("testbed/agents/package.json", "{}");
        write("testbed/agents/package-lock.json", "{}");
        write("testbed/agents/.npmrc", "");
        Files.createDirectories(agents());
        Files.writeString(agents().resolve("installed.json"), "{}");
        Files.copy(Checkout.ROOT.resolve("penstock"), checkout.resolve("penstock"));
        Path classes = Snippets.compile(folder, List.of(MAIN)).classes();
        maven("""
                mkdir -p modules/server/target bench/target; cp -R '%s' modules/server/target/
                printf %%s '%2$s:%2$s' >modules/server/target/classpath; printf %%s '%2$s' >bench/target/classpath
                """.formatted(classes, checkout.resolve("pom.xml")));
    }

    @Test
    void itBuildsOnceAndAgainWhenASourceChanges() throws Exception {
        assertEquals("ran up,--port,1", run("up", "--port", "1").lastLine());
        assertEquals("ran up", run("up").output().strip());
        assertEquals(1, builds());
        write("modules/frames/src/A.java", "class A { int more; }");
        assertTrue(run("up").output().startsWith("Building Penstock"));
        Files.delete(checkout.resolve("modules/frames/src/A.java"));
        run("up");
        assertEquals(3, builds());
    }

    @Test
    void itRunsFromJarsThatABuildDoesNotTakeAway() throws Exception {
        run("up");
        Path jar = checkout.resolve(".penstock-build/jars/server.jar");
        Object before = Files.getAttribute(jar, "unix:ino");
        deleteClasses();
        // Nothing has changed, and the classes are in the jar.
        assertEquals("ran up", run("up").output().strip());
        write("modules/frames/src/A.java", "class A { int more; }");
        assertEquals("ran up", run("up").lastLine());
        assertNotEquals(before, Files.getAttribute(jar, "unix:ino"));
    }

    private void deleteClasses() throws IOException {
        try (Stream<Path> files = Files.walk(checkout.resolve("modules/server/target/classes"))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Test
    void itBuildsAgainWhenALibraryHasGone() throws Exception {
        run("up");
        write("modules/server/target/classpath", "/nowhere.jar");
        run("up");
        assertEquals(2, builds());
    }

    @Test
    void aBuildThatFailsShowsItsEndAndIsTriedAgain() throws Exception {
        maven("echo what is wrong; exit 1");
        for (int attempt = 1; attempt <= 2; attempt++) {
            Ended ended = run("up");
            assertEquals(1, ended.exitCode());
            assertTrue(ended.output().contains("what is wrong"), ended.output());
            assertTrue(ended.lastLine().startsWith("penstock: the build failed"), ended.output());
            assertEquals(attempt, builds());
        }
    }

    @Test
    void theCountsOfAllReportsAreAddedAndWhatTestsPrintedIsNot() throws Exception {
        maven(reports(SUREFIRE, VITEST) + "exit 1");
        assertEquals(new Ended(1, "\n5 passed, 3 failed\n"), run("test"));
    }

    @Test
    void aRunWithoutAFailureEndsWell() throws Exception {
        maven(reports("<testsuite tests=\"2\" errors=\"0\" skipped=\"0\" failures=\"0\">", ""));
        assertEquals(new Ended(0, "\n2 passed, 0 failed\n"), run("test"));
    }

    @Test
    void aBuildThatBreaksAfterPassingTestsCountsAsAFailure() throws Exception {
        maven(reports("<testsuite tests=\"2\" errors=\"0\" skipped=\"0\" failures=\"0\">", "") + "exit 1");
        Ended ended = run("test");
        assertEquals(1, ended.exitCode());
        assertEquals("2 passed, 1 failed", ended.lastLine());
    }

    @Test
    void theAgentProgramsOfTestsAreInstalledOnceTheyCanBe() throws Exception {
        Files.delete(agents().resolve("installed.json"));
        maven(reports("<testsuite tests=\"2\" errors=\"0\" skipped=\"0\" failures=\"0\">", ""));
        for (int exitCode : List.of(1, 0, 0)) {
            program("npm", "echo \"$1\" >>'%s'; exit %d".formatted(folder.resolve("installs"), exitCode));
            Ended ended = run("test");
            assertEquals("2 passed, 0 failed", ended.lastLine(), "the other tests run without them");
            assertEquals(exitCode == 1, ended.output().contains("agent programs could not be installed"));
        }
        assertEquals(List.of("ci", "ci"), Files.readAllLines(folder.resolve("installs")));
    }

    @Test
    void aRunOfNoTestsIsAFailureAlsoWhenOldReportsAreLeft() throws Exception {
        write(
                "modules/server/target/surefire-reports/TEST-Old.xml",
                "<testsuite tests=\"2\" errors=\"0\" failures=\"0\">");
        maven("exit 0");
        Ended ended = run("test");
        assertEquals(1, ended.exitCode());
        assertEquals("0 passed, 1 failed", ended.lastLine());
    }

    @Test
    void quickTestsLeaveOutServersBrowsersAndWhatTakesLong() throws Exception {
        maven(reports("<testsuite tests=\"2\" errors=\"0\" skipped=\"0\" failures=\"0\">", "")
                + "printf '%s\\n' \"$@\" >../asked");
        assertEquals(new Ended(0, "\n2 passed, 0 failed\n"), run("test", "--quick", "-pl", "modules/frames"));
        List<String> asked = Files.readAllLines(folder.resolve("asked"));
        assertTrue(asked.contains("-Dtest.without=server | browser | long"), asked::toString);
        assertEquals(List.of("-pl", "modules/frames"), asked.subList(asked.size() - 2, asked.size()));
    }

    @Test
    void testsHaveAFolderOfTheirOwnThatIsGoneAfterwards() throws Exception {
        maven(reports("<testsuite tests=\"2\" errors=\"0\" skipped=\"0\" failures=\"0\">", "")
                + "printf '%s\\n' \"$@\" \"$TMPDIR\" >../asked; [ -d \"$TMPDIR\" ]");
        assertEquals(0, run("test").exitCode());
        List<String> asked = Files.readAllLines(folder.resolve("asked"));
        Path used = Path.of(asked.getLast());
        assertTrue(asked.contains("-Dtest.folder=" + used), asked::toString);
        assertTrue(used.equals(Path.of("/tmp")) || Files.notExists(used), used::toString);
    }

    @Test
    void slowestTestsOfTheLastRunAreNamed() throws Exception {
        maven(reports(
                """
                <testsuite name="A" tests="3">
                  <testcase name="quick" classname="io.penstock.ATest" time="0.04"/>
                  <testcase name="slow() of &quot;x&quot;" classname="io.penstock.ATest" time="1,234.5">
                    <system-out><![CDATA[<testcase name="said" classname="B" time="99"/>]]></system-out>
                  </testcase>
                </testsuite>
                """, "<testcase classname=\"src/a.test.ts\" name=\"draws &gt; a row\" time=\"2.26\"></testcase>"));
        run("test");
        assertEquals(new Ended(0, """
                  1234.5 s  ATest: slow() of "x"
                     2.3 s  src/a.test.ts: draws > a row
                     0.0 s  ATest: quick
                """), run("test", "--slowest"));
    }

    @Test
    void programsCannotAttachToTheServer() throws Exception {
        javaOptions = "-XX:+PrintCommandLineFlags";
        assertTrue(run("up").output().contains("-XX:+DisableAttachMechanism "), run("up")::output);
    }

    @Test
    void anUnknownCommandIsNamed() throws Exception {
        Ended ended = run("dance");
        assertEquals(2, ended.exitCode());
        assertTrue(ended.output().startsWith("penstock: there is no command 'dance'."), ended.output());
    }

    private String reports(String surefire, String vitest) throws IOException {
        Path canned = folder.resolve("canned");
        Files.createDirectories(canned);
        Files.writeString(canned.resolve("TEST-A.xml"), surefire);
        Files.writeString(canned.resolve("vitest.xml"), vitest);
        return """
                mkdir -p modules/server/target/surefire-reports web-client/target/test-reports
                cp '%1$s/TEST-A.xml' modules/server/target/surefire-reports; cp '%1$s/vitest.xml' web-client/target/test-reports
                """.formatted(canned);
    }

    private void maven(String does) throws IOException {
        program("mvn", """
                if [ "$1" = --version ]; then echo Apache Maven 3.9.0; exit; fi
                cd '%s' && echo build >>../builds
                %s
                """.formatted(checkout, does));
    }

    /** A program of this name that the launcher finds first. */
    private void program(String name, String does) throws IOException {
        Path program = folder.resolve("bin").resolve(name);
        Files.createDirectories(program.getParent());
        Files.writeString(program, "#!/usr/bin/env bash\n" + does);
        assertTrue(program.toFile().setExecutable(true));
    }

    private Path agents() {
        return folder.resolve("cache/penstock/agents");
    }

    private long builds() throws IOException {
        return Files.readAllLines(folder.resolve("builds")).size();
    }

    private void write(String file, String text) throws IOException {
        Path path = checkout.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private Ended run(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("bash", checkout.resolve("penstock").toString()));
        command.addAll(List.of(arguments));
        Path output = folder.resolve("output");
        var launcher = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        launcher.environment()
                .put(
                        "PATH",
                        folder.resolve("bin") + ":" + launcher.environment().get("PATH"));
        launcher.environment().put("JAVA_HOME", System.getProperty("java.home", ""));
        launcher.environment().put("PENSTOCK_JAVA_OPTS", javaOptions);
        launcher.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        int exitCode = launcher.start().waitFor();
        return new Ended(exitCode, Files.readString(output));
    }
}
