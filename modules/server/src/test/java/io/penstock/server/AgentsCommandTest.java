package io.penstock.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code penstock agents}: the profiles, and whether their programs are there. */
class AgentsCommandTest {

    @TempDir
    Path data = Path.of("");

    private List<String> run(String... words) {
        var out = new StringWriter();
        new CommandLine(new Main())
                .setOut(new PrintWriter(out))
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getOut().println(StartFailure.sentence(failure));
                    return 1;
                })
                .execute(words);
        return out.toString().lines().toList();
    }

    @Test
    void listsEachProfileWithTheFileOfItsProgram() throws IOException {
        Path program = Files.createFile(
                data.resolve("here"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path file = Files.writeString(data.resolve("other.toml"), """
                [agents]
                usual = "here"
                [agents.here]
                protocol = "acp"
                command = ["here"]
                environment = {PATH = "%s"}
                [agents.gone]
                protocol = "pi"
                command = ["no-such-agent"]
                [agents.wrong]
                protocol = "acp"
                command = ["/dev"]
                """.formatted(data));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        List<String> lines = run("agents", "--data", data.toString(), "--config", file.toString());
        assertEquals("By " + file + ":", lines.getFirst());
        assertTrue(lines.contains("* here         acp  " + program), lines::toString);
        assertTrue(
                lines.stream()
                        .anyMatch(line -> line.startsWith(
                                "  gone         pi   not installed: command not found: no-such-agent is in no"
                                        + " directory of PATH ")),
                lines::toString);
        assertTrue(
                lines.contains("  wrong        acp  not usable: cannot execute /dev: it is a directory"),
                lines::toString);
        assertTrue(
                lines.contains("  sample       acp  " + Path.of(System.getProperty("java.home"), "bin", "java")),
                lines::toString);
    }

    @Test
    void saysThatThereIsNoConfigurationOrThatItIsBroken() throws IOException {
        assertEquals(
                "There is no configuration in " + data + "; these ship with Penstock.",
                run("agents", "--data", data.toString()).getFirst());
        Path file = Files.writeString(data.resolve("penstock.toml"), "[agents]\nusual = 1\n");
        assertEquals(
                List.of("The configuration " + file + " cannot be used: \"agents.usual\" must be text, in quotes"),
                run("agents", "--data", data.toString()));
    }
}
