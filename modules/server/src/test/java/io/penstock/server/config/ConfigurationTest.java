package io.penstock.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.agent.AgentProfile;
import io.penstock.engine.agent.TurnRates;
import io.penstock.frames.AgentSpec.Protocol;
import io.penstock.server.tools.agents.TaskToolSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a configuration file gives, and what is said about one that cannot be used. */
class ConfigurationTest {

    private static final String SECRET = "sk-123456";

    private static final Map<String, String> SERVER_ENVIRONMENT = Map.of("A_KEY", SECRET, "OTHER", "x");

    @TempDir
    Path data = Path.of("");

    private Configuration read(String text) throws IOException {
        return read(text, "rw-------");
    }

    private Configuration read(String text, String permissions) throws IOException {
        Path file = Files.writeString(data.resolve("penstock.toml"), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        return Configuration.read(null, data, SERVER_ENVIRONMENT);
    }

    private String broken(String text) {
        String sentence = String.valueOf(
                assertThrows(ConfigurationBroken.class, () -> read(text)).getMessage());
        String start = "The configuration " + data.resolve("penstock.toml") + " ";
        assertTrue(sentence.startsWith(start), sentence);
        return sentence.substring(start.length());
    }

    @Test
    void withoutAFileThereAreTheShippedProfilesAndTheDefaults() {
        Configuration configuration = Configuration.read(null, data, Map.of());
        assertNull(configuration.file());
        assertEquals(TaskToolSettings.DEFAULT, configuration.tasks());
        assertEquals(TurnRates.NONE, configuration.agents().rates());
        assertEquals("sample", configuration.agents().usual());
        assertEquals(
                Set.of("sample", "codex", "claude", "gemini", "opencode", "pi"),
                configuration.agents().byName().keySet());
        assertEquals(
                List.of("pi", "--mode", "rpc", "--model", "m", "--thinking", "high"),
                configuration.agents().profile("pi").command("m", "high"));
    }

    @Test
    void anEmptyFileChangesNothing() throws IOException {
        Configuration configuration = read("# nothing\n");
        assertEquals(data.resolve("penstock.toml"), configuration.file());
        assertEquals(TaskToolSettings.DEFAULT, configuration.tasks());
        assertEquals("sample", configuration.agents().usual());
    }

    @Test
    void everyKeyOfTheTasksIsRead() throws IOException {
        Configuration configuration = read("""
                [tasks]
                enabled = false
                max_concurrent_per_session = 1
                max_concurrent_global = 2
                default_timeout_secs = 60
                max_timeout_secs = 120
                persist = true
                max_depth = 0
                orphan_ttl_secs = 600

                [tasks.rate]
                turns_per_minute = 30
                background_turns_per_minute = 10
                """);
        assertEquals(new TaskToolSettings(false, 1, 2, 60, 120, 0, 600), configuration.tasks());
        assertEquals(new TurnRates(30, 10), configuration.agents().rates());
    }

    @Test
    void aProfileHasItsCommandItsEnvironmentAndItsNames() throws IOException {
        Configuration configuration = read("""
                [agents]
                usual = "mine"

                [agents.mine]
                protocol = "pi"
                command = ["my-agent", "--rpc"]
                environment = {LANG = "C"}
                pass_environment = ["A_KEY", "NOT_SET"]
                models = {fast = "vendor/small"}
                thinking = {off = "none"}
                model_arguments = ["--model={model}"]
                thinking_arguments = ["--think", "{thinking}"]
                """);
        AgentProfile mine = configuration.agents().profile(null);
        assertEquals("mine", mine.name());
        assertEquals(Protocol.PI, mine.protocol());
        assertEquals(Map.of("LANG", "C", "A_KEY", SECRET), mine.environment());
        assertEquals(
                List.of("my-agent", "--rpc", "--model=vendor/small", "--think", "none"), mine.command("fast", "off"));
        assertFalse(mine.toString().contains(SECRET), mine::toString);
    }

    @Test
    void aShippedProfileKeepsWhatTheFileDoesNotChange() throws IOException {
        AgentProfile codex = read("[agents.codex]\npass_environment = [\"A_KEY\"]\n")
                .agents()
                .profile("codex");
        assertEquals(List.of("codex-acp", "-c", "model=o"), codex.command("o", null));
        assertEquals(Map.of("A_KEY", SECRET), codex.environment());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            [task]                            | cannot be used: "task" is unknown here; known are tasks, agents
            [tasks]\\nmax = 1                 | cannot be used: "tasks.max" is unknown here; known are enabled, max_concurrent_per_session, max_concurrent_global, default_timeout_secs, max_timeout_secs, persist, max_depth, orphan_ttl_secs, rate
            [tasks.rate]\\nx = 1              | cannot be used: "tasks.rate.x" is unknown here; known are turns_per_minute, background_turns_per_minute
            tasks = 3                         | cannot be used: "tasks" must be a table
            [tasks]\\nenabled = "yes"         | cannot be used: "tasks.enabled" must be true or false
            [tasks]\\nmax_depth = -1          | cannot be used: "tasks.max_depth" must be a whole number from 0 to 3, not -1
            [tasks]\\nmax_depth = 1.5         | cannot be used: "tasks.max_depth" must be a whole number from 0 to 3, not 1.5
            [tasks]\\nmax_depth = "3"         | cannot be used: "tasks.max_depth" must be a whole number from 0 to 3
            [tasks]\\nmax_concurrent_global = 0 | cannot be used: "tasks.max_concurrent_global" must be a whole number from 1 to 10000, not 0
            [tasks]\\nmax_timeout_secs = 60   | cannot be used: "tasks.default_timeout_secs" must be at most max_timeout_secs, which is 60, not 3600
            [tasks]\\npersist = 1             | cannot be used: "tasks.persist" must be true or false
            [agents]\\nusual = "none"         | cannot be used: "agents.usual" must name a profile, which "none" is not; known are claude, codex, gemini, opencode, pi, sample
            [agents]\\nusual = 1              | cannot be used: "agents.usual" must be text, in quotes
            [agents]\\nmine = "x"             | cannot be used: "agents.mine" must be a table
            [agents."a b"]                    | cannot be used: "agents.a b" is no name of a profile: 1 to 40 letters, digits and any of . _ - behind the first
            [agents.mine]\\ncommand = ["x"]   | cannot be used: "agents.mine.protocol" is missing
            [agents.mine]\\nprotocol = "mcp"  | cannot be used: "agents.mine.protocol" must be "acp" or "pi"
            [agents.mine]\\nprotocol = "acp"  | cannot be used: "agents.mine.command" is missing
            [agents.codex]\\ncommand = []     | cannot be used: "agents.codex.command" must have a program, such as ["codex-acp"]
            [agents.codex]\\ncommand = [" "]  | cannot be used: "agents.codex.command" must have a program, such as ["codex-acp"]
            [agents.codex]\\ncommand = "x"    | cannot be used: "agents.codex.command" must be a list of texts, such as ["a", "b"]
            [agents.codex]\\ncommand = ["x", 1] | cannot be used: "agents.codex.command" must be text, in quotes
            [agents.codex]\\ncommand = ["x\\u0000"] | cannot be used: "agents.codex.command" has a NUL character, which no program can be given
            [agents.codex]\\ntools = ["x"]    | cannot be used: "agents.codex.tools" is unknown here; known are protocol, command, environment, pass_environment, models, thinking, model_arguments, thinking_arguments
            [agents.codex]\\nmodel_arguments = ["-m"] | cannot be used: "agents.codex.model_arguments" must have {model}, which is replaced, in one of its texts
            [agents.codex]\\nenvironment = {"A=B" = "x"} | cannot be used: "agents.codex.environment" has a name that is empty or has = or NUL in it
            [agents.codex]\\npass_environment = ["A=sk-123456"] | cannot be used: "agents.codex.pass_environment" must have names of variables only, without = and values
            [agents.codex]\\nenvironment = {A_KEY = "x"}\\npass_environment = ["A_KEY"] | cannot be used: "agents.codex.pass_environment" has A_KEY, which "environment" sets too: leave one out
            a = 1\\n[tasks                    | cannot be used, line 2: it is not TOML: Premature end of file
            [tasks]\\n[tasks]                 | cannot be used, line 2: it is not TOML: Table redefined
            """)
    void aBrokenFileIsSaidToBeSoWithKeyOrLine(String text, String sentence) {
        assertEquals(sentence, broken(unescaped(text)));
    }

    /** Whatever is wrong with it, a value that may be a secret is not shown. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            [agents.codex.environment]\\nA_KEY = sk-123456
            [agents.codex.environment]\\nA_KEY = 1-sk-123456
            [agents.codex.environment]\\nA_KEY = "sk-123456
            [agents.codex.environment]\\nA_KEY = "sk-123456" x
            [agents.codex.environment]\\nA_KEY = ["sk-123456"]
            [agents.codex.environment]\\nA_KEY = "sk-123456\\u0000"
            [agents.codex]\\nenvironment = "A_KEY=sk-123456"
            [agents.codex]\\nenvironment = ["A_KEY=sk-123456"]
            [agents.codex]\\nenviron = {A_KEY = "sk-123456"}
            [agents.codex.environment]\\nA_KEY = "sk-123456"\\nA_KEY = "x"
            """)
    void aSecretIsNeverInTheSentence(String text) {
        String sentence = broken(unescaped(text));
        assertFalse(sentence.contains("123456"), sentence);
    }

    private static String unescaped(String text) {
        return text.replace("\\n", "\n");
    }

    @Test
    void valuesOfVariablesAreForTheOwnerAlone() throws IOException {
        String values = "[agents.codex.environment]\nA_KEY = \"" + SECRET + "\"\n";
        assertEquals(
                Map.of("A_KEY", SECRET),
                read(values, "rw-------").agents().profile("codex").environment());
        String sentence = String.valueOf(assertThrows(ConfigurationBroken.class, () -> read(values, "rw-r-----"))
                .getMessage());
        assertTrue(
                sentence.endsWith("has values of environment variables and can be read by others (rw-r-----): make it"
                        + " yours only with chmod 600, or name the variables in pass_environment"),
                sentence);
        String names = "[agents.codex]\npass_environment = [\"A_KEY\"]\n";
        assertEquals(
                Map.of("A_KEY", SECRET),
                read(names, "rw-r--r--").agents().profile("codex").environment());
    }

    @Test
    void aFileThatEveryoneCanWriteIsRefused() {
        String sentence = String.valueOf(assertThrows(ConfigurationBroken.class, () -> read("", "rw-rw-rw-"))
                .getMessage());
        assertTrue(sentence.contains("can be written by everyone (rw-rw-rw-)"), sentence);
    }

    @Test
    void aFileThatCannotBeReadIsSaidToBeSo() throws IOException {
        assertEquals("does not exist; name it with --config", named(data.resolve("absent.toml")));
        assertEquals("is not a file", named(data));
        assertEquals("is not a file", named(Path.of("/dev/zero")));
        Path bytes = Files.write(data.resolve("bytes.toml"), new byte[] {'a', (byte) 0xff});
        assertEquals("is not UTF-8", named(bytes));
        Path huge = Files.writeString(data.resolve("huge.toml"), "#".repeat(1024 * 1024 + 1));
        assertEquals("has more than 1048576 bytes", named(huge));
        Path nested = Files.writeString(data.resolve("nested.toml"), "a = " + "[".repeat(500_000));
        assertTrue(named(nested).startsWith("cannot be used, line 1: it is not TOML: "), named(nested));
    }

    private String named(Path file) {
        String sentence =
                String.valueOf(assertThrows(ConfigurationBroken.class, () -> Configuration.read(file, data, Map.of()))
                        .getMessage());
        String start = "The configuration " + file + " ";
        assertTrue(sentence.startsWith(start), sentence);
        return sentence.substring(start.length());
    }
}
