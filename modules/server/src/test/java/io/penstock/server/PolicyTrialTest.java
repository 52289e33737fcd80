package io.penstock.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code penstock policy test}: its output about rules and recorded spawns. */
class PolicyTrialTest {

    @TempDir
    Path folder;

    private record Said(int exitCode, List<String> lines) {}

    private static Said run(String... words) {
        var out = new StringWriter();
        int code = new CommandLine(new Main())
                .setOut(new PrintWriter(out))
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getOut().println(StartFailure.sentence(failure));
                    return 1;
                })
                .execute(words);
        return new Said(code, out.toString().lines().toList());
    }

    @Test
    void saysWhichRuleDecidesAboutEachRecordedSpawn() throws IOException {
        Path rules = Files.writeString(folder.resolve("rules.yaml"), """
                rules:
                  - {name: make, when: 'args.command.startsWith("make ")', verdict: allow, modes: [pipes, pty]}
                  - {name: never, when: 'args.command == "x"', verdict: deny}
                """);
        // The golden streams contain spawns of `make test`, among all their other frames.
        Path golden = Path.of("../../conformance/streams/v1");
        Path served = Files.writeString(
                folder.resolve("events"),
                "retry: 1000\n\nid: 0\ndata: "
                        + spawnOf(golden.resolve("exit-0.jsonl")).replace("make test", "x")
                        + "\n\n");
        Path plain = Files.writeString(folder.resolve("plain"), spawnOf(golden.resolve("pty-control.jsonl")) + "\n");
        Said said = run("policy", "test", rules.toString(), served.toString(), plain.toString());
        assertEquals(0, said.exitCode(), () -> said.lines().toString());
        assertEquals(
                rules + " can be used: profile local after 2 rules.",
                said.lines().getFirst());
        assertTrue(said.lines().get(1).startsWith("deny   never "), said.lines().get(1));
        assertTrue(said.lines().get(2).startsWith("allow  make "), said.lines().get(2));
        assertEquals(
                List.of("", "     1  make", "     1  never", "     0  default allow"),
                said.lines().subList(3, said.lines().size()));
    }

    @Test
    void saysWhichVariableARuleDoesNotAccept() throws IOException {
        Path rules = Files.writeString(folder.resolve("rules.yaml"), """
                rules:
                  - {name: make, when: 'args.command == "make test"', verdict: allow, reason: ours, env: [CI, LANG=C]}
                """);
        String spawn = spawnOf(Path.of("../../conformance/streams/v1/exit-0.jsonl"));
        String args = "\"command\":\"make test\"";
        assertTrue(spawn.contains(args), spawn);
        var lines = new StringBuilder();
        for (String names : List.of("\"CI\"", "\"CI\",\"LD_PRELOAD\"", "\"LANG\"")) {
            lines.append(spawn.replace(args, args + ",\"env\":[" + names + "]")).append('\n');
        }
        Path events = Files.writeString(folder.resolve("events"), lines);
        Said said = run("policy", "test", "--profile", "safe", rules.toString(), events.toString());
        assertEquals(0, said.exitCode(), () -> said.lines().toString());
        assertTrue(said.lines().get(1).startsWith("allow  make "), said.lines().get(1));
        assertTrue(
                said.lines().get(2).contains("environment variable LD_PRELOAD;"),
                said.lines().get(2));
        assertTrue(
                said.lines().get(3).contains("LANG with certain values only, and values are not recorded"),
                said.lines().get(3));
    }

    @Test
    void saysWhatIsWrongAndWhere() throws IOException {
        Path rules = Files.writeString(
                folder.resolve("rules.yaml"), "rules:\n  - name: a\n    when: tol\n    verdict: deny\n");
        Said said = run("policy", "test", rules.toString());
        assertEquals(1, said.exitCode());
        assertTrue(
                said.lines().getFirst().contains("line 3: the condition is wrong"),
                said.lines().getFirst());
        Files.writeString(rules, "rules: []");
        Path broken = Files.writeString(folder.resolve("events"), "{\"seq\":1}\n");
        assertTrue(run("policy", "test", rules.toString(), broken.toString())
                .lines()
                .get(1)
                .startsWith("This is not an event"));
    }

    private static String spawnOf(Path golden) throws IOException {
        String line = Files.readAllLines(golden).getFirst();
        return line.substring("{\"frame\":".length(), line.indexOf(",\"state\":"));
    }
}
