package io.penstock.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The commands of {@code ./penstock bench}, {@code load} and {@code soak}. */
class MainTest {

    private final StringWriter out = new StringWriter();

    private CommandLine main() {
        return Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
    }

    private Set<String> names(String command) {
        return Objects.requireNonNull(main().getSubcommands().get(command))
                .getSubcommands()
                .keySet();
    }

    @Test
    void benchWithoutANameListsTheMeasurements() {
        assertEquals(0, main().execute("bench"));
        for (String name : names("bench")) {
            assertTrue(out.toString().contains("  " + name + " "), () -> name + " in " + out);
        }
    }

    @Test
    void everyCommandExplainsItsOptions() {
        var commands = List.of("load", "soak", "soak log", "soak queue", "bench ranges", "bench log", "bench echo");
        for (String command : commands) {
            assertEquals(0, main().execute((command + " --help").split(" ")), command);
        }
        assertTrue(out.toString().contains("--bytes=N"), out::toString);
        assertTrue(out.toString().contains("(default: 1073741824)"), out::toString);
    }

    @Test
    void soakNamesAllTestsOfTheHelpText() {
        assertEquals(2, main().execute("soak"));
        assertEquals(Set.of("log", "queue", "attach", "memory", "http", "rpc", "faults"), names("soak"));
    }

    @Test
    void wrongNamesAndValuesAreRefused() {
        var wrong = List.of(
                "",
                "test",
                "bench everything",
                "bench ranges --bytes 1",
                "bench log many",
                "load --tasks 0",
                "load --mode terminal",
                "load --tasks",
                "soak log --rounds 0",
                "soak queue --tasks 0",
                "soak http --seconds 1",
                "soak faults --faults flood");
        for (String command : wrong) {
            assertEquals(2, main().execute(command.isEmpty() ? new String[0] : command.split(" ")), command);
        }
    }
}
