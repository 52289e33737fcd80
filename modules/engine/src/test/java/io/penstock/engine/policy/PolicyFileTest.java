package io.penstock.engine.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.frames.Actor;
import io.penstock.frames.Budgets;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.RecordInput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of rules and the profiles behind them: their verdicts, and the errors of invalid ones. */
class PolicyFileTest {

    private static final Pattern EXAMPLE = Pattern.compile("```yaml policy\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path folder;

    private Policy policy(Profile profile, String rules) {
        return new PolicySource(profile, file(rules)).read();
    }

    private Path file(String rules) {
        try {
            return Files.writeString(folder.resolve("policy.yaml"), rules);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Verdict.Deny denied(Verdict verdict) {
        return assertInstanceOf(Verdict.Deny.class, verdict);
    }

    private static Verdict.Allow allowed(Verdict verdict) {
        return assertInstanceOf(Verdict.Allow.class, verdict);
    }

    @Test
    void exampleOfTheGuideDecidesAsDescribed() throws IOException {
        Matcher example = EXAMPLE.matcher(Files.readString(Path.of("../../docs/policy.md")));
        assertEquals(true, example.find());
        for (Profile profile : Profile.values()) {
            Policy policy = policy(profile, example.group(1));
            assertEquals(
                    "no-removal",
                    denied(policy.verdict(PolicyQuestions.spawn("sudo rm -rf /")))
                            .rule());
            Verdict.Allow make = allowed(policy.verdict(PolicyQuestions.spawn("make test", ExecutionMode.PTY)));
            assertEquals("build-tools", make.rule());
            assertEquals(new Budgets(600_000L, 64L << 20, 100_000L), make.budgets());
            Actor stranger = Actor.user("stranger");
            assertEquals(
                    "only-the-owner-types",
                    denied(policy.verdict(PolicyQuestions.to(Operation.STDIN, stranger)))
                            .rule());
            allowed(policy.verdict(PolicyQuestions.to(Operation.STDIN, Actor.user("token"))));
            allowed(policy.verdict(PolicyQuestions.to(Operation.CANCEL, stranger)));
        }
    }

    @Test
    void safeDeniesTasksAndTerminalsThatNoRuleAllows() {
        Policy safe = policy(Profile.SAFE, """
                rules:
                  - {name: make, when: 'args.command == "make"', verdict: allow, reason: ours}
                  - {name: top, when: 'args.command == "top"', verdict: allow, reason: looks, modes: [pty]}
                """);
        assertEquals(
                "make", allowed(safe.verdict(PolicyQuestions.spawn("make"))).rule());
        assertEquals(
                "safe: terminals",
                denied(safe.verdict(PolicyQuestions.spawn("make", ExecutionMode.PTY)))
                        .rule());
        assertEquals(
                "top",
                allowed(safe.verdict(PolicyQuestions.spawn("top", ExecutionMode.PTY)))
                        .rule());
        assertEquals(
                "safe: tasks",
                denied(safe.verdict(PolicyQuestions.spawn("top"))).rule());
        assertEquals(
                "safe: tasks",
                denied(safe.verdict(PolicyQuestions.spawn("make test"))).rule());
        for (Operation operation : List.of(Operation.STDIN, Operation.RESIZE, Operation.SIGNAL, Operation.CANCEL)) {
            assertEquals(
                    "safe: control",
                    allowed(safe.verdict(PolicyQuestions.to(operation, PolicyQuestions.ALICE)))
                            .rule());
        }
        Policy none = new PolicySource(Profile.SAFE, null).read();
        denied(none.verdict(PolicyQuestions.spawn("true")));
    }

    @Test
    void ruleAllowsATerminalOnlyExplicitly() {
        String rule = "rules: [{name: make, when: 'true', verdict: allow, reason: ours, operations: %s}]";
        for (String operations : List.of("[spawn]", "[spawn, stdin]")) {
            Policy safe = policy(Profile.SAFE, rule.formatted(operations));
            assertEquals(
                    "make", allowed(safe.verdict(PolicyQuestions.spawn("make"))).rule());
            assertEquals(
                    "safe: terminals",
                    denied(safe.verdict(PolicyQuestions.spawn("make", ExecutionMode.PTY)))
                            .rule());
        }
        Policy safe = policy(Profile.SAFE, rule.formatted("[spawn, stdin]"));
        assertEquals(
                "make",
                allowed(safe.verdict(PolicyQuestions.to(Operation.STDIN, PolicyQuestions.ALICE)))
                        .rule());
        Policy both = policy(Profile.SAFE, rule.formatted("[spawn, stdin], modes: [pty]"));
        allowed(both.verdict(PolicyQuestions.spawn("make", ExecutionMode.PTY)));
        denied(both.verdict(PolicyQuestions.spawn("make")));
    }

    @Test
    void fullAutoBudgetsApplyToRulesToo() {
        Policy full = policy(Profile.FULL_AUTO, """
                rules:
                  - {name: short, when: 'args.command == "ls"', verdict: allow, budgets: {time: 5s}}
                """);
        Budgets usual = new Budgets(3_600_000L, 1L << 30, 1L << 20);
        assertEquals(usual, allowed(full.verdict(PolicyQuestions.spawn("true"))).budgets());
        assertEquals(
                new Budgets(5_000L, usual.outputBytes(), usual.events()),
                allowed(full.verdict(PolicyQuestions.spawn("ls"))).budgets());
        assertEquals(
                Budgets.NONE,
                allowed(Policy.LOCAL.verdict(PolicyQuestions.spawn("true"))).budgets());
    }

    @Test
    void firstMatchingRuleDecides() {
        Policy policy = policy(Profile.LOCAL, """
                rules:
                  - {name: first, when: 'args.command.contains("a")', verdict: deny}
                  - {name: second, when: 'args.command.contains("b")', verdict: allow}
                  - {name: third, when: "true", verdict: deny, reason: nothing else}
                """);
        assertEquals(new Verdict.Deny("first", "the policy denies it"), policy.verdict(PolicyQuestions.spawn("ab")));
        assertEquals(
                "second", allowed(policy.verdict(PolicyQuestions.spawn("b"))).rule());
        assertEquals("third", denied(policy.verdict(PolicyQuestions.spawn("c"))).rule());
    }

    @Test
    void exampleQuestionOfTheGuideIsAskedAsDescribed() throws IOException {
        Matcher example = EXAMPLE.matcher(Files.readString(Path.of("../../docs/policy.md")));
        assertEquals(true, example.find());
        assertEquals(true, example.find(), "there is a second example");
        Policy policy = policy(Profile.LOCAL, example.group(1));
        for (String command : List.of("curl https://example.org", "make && wget x", "x;curl y")) {
            Verdict.Ask asked = assertInstanceOf(Verdict.Ask.class, policy.verdict(PolicyQuestions.spawn(command)));
            assertEquals(300_000, asked.withinMs());
            assertEquals(new Budgets(600_000L, null, null), asked.budgets());
        }
        allowed(policy.verdict(PolicyQuestions.spawn("echo curled")));
    }

    @Test
    void ruleMayAskAPerson() {
        Policy policy = policy(Profile.FULL_AUTO, """
                rules:
                  - {name: net, when: 'args.command.startsWith("curl ")', verdict: ask, question: 'May it use the network?', within: 30s, budgets: {time: 1m}}
                """);
        Budgets usual = new Budgets(3_600_000L, 1L << 30, 1L << 20);
        assertEquals(
                new Verdict.Ask(
                        "net",
                        "May it use the network?",
                        30_000,
                        new Budgets(60_000L, usual.outputBytes(), usual.events())),
                policy.verdict(PolicyQuestions.spawn("curl x", ExecutionMode.PTY)));
    }

    @Test
    void ruleChoosesTheRecordedInput() {
        Policy policy = policy(Profile.LOCAL, """
                rules:
                  - {name: quiet, when: 'true', verdict: allow, modes: [pty], record_input: none}
                """);
        Verdict.Allow allow = assertInstanceOf(
                Verdict.Allow.class, policy.verdict(PolicyQuestions.spawn("vault login", ExecutionMode.PTY)));
        assertEquals(RecordInput.NONE, allow.recordInput());
    }

    @Test
    void conditionWithoutAnAnswerDeniesByItsRule() {
        Policy policy = policy(Profile.LOCAL, """
                rules:
                  - {name: in-src, when: 'args.cwd == "src"', verdict: allow}
                """);
        Verdict.Deny denied = denied(policy.verdict(PolicyQuestions.spawn("true")));
        assertEquals("in-src", denied.rule());
        assertEquals(true, denied.reason().contains("cannot be evaluated"), denied::reason);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``                                              | line 1: it is empty
            `rules: {}`                                     | line 1: "rules" must be a list
            `rule: []`                                      | line 1: the key "rule" is unknown; a policy has rules
            `rules:\\n  - name: a\\n    when: 'true'`       | line 2: "verdict" is missing
            `rules:\\n  - name: a\\n    verdict: maybe\\n    when: 'true'` | line 3: "verdict" must be one of allow, deny, ask
            `rules:\\n  - {name: a, when: 'true', verdict: deny}\\n  - {name: a, when: 'true', verdict: deny}` | line 3: another rule has the name "a"
            `rules:\\n  - name: a\\n    verdict: deny\\n    when: tool = 3` | line 4: the condition is wrong: token recognition
            `rules:\\n  - name: a\\n    verdict: allow\\n    when: 'true'\\n    budgets:\\n      time: soon` | line 6: "time" must be a time, such as 30s, 10m or 2h, but is "soon"
            `rules:\\n  - name: a\\n    verdict: deny\\n    when: 'true'\\n    budgets: {time: 1s}` | line 5: "budgets" belongs to a rule that allows or asks about a spawn
            `rules:\\n  - name: a\\n    verdict: deny\\n    when: 'true'\\n    modes: [window]` | line 5: "modes" must be one of pipes, pty, but is "window"
            `rules:\\n  - name: a\\n    verdict: deny\\n    when: 'true'\\n    name: b` | line 5: "name" occurs twice
            `rules:\\n  - name: a\\n    verdict: allow\\n    when: 'true'\\n    record_input: some` | line 5: "record_input" must be one of default, none, all, but is "some"
            `rules:\\n  - name: a\\n    verdict: deny\\n    when: 'true'\\n    record_input: none` | line 5: "record_input" belongs to a rule that allows or asks about a spawn
            `rules:\\n  - name: a\\n    verdict: allow\\n    when: 'true'\\n    operations: [stdin]\\n    record_input: none` | line 6: "record_input" belongs to a rule about the operation spawn
            `rules:\\n  - name: a\\n    verdict: ask\\n    when: 'true'` | line 2: "question" is missing
            `rules:\\n  - name: a\\n    verdict: ask\\n    question: b\\n    when: 'true'\\n    operations: [stdin]` | line 6: only a spawn and the tool of an agent can wait
            `rules:\\n  - name: a\\n    verdict: deny\\n    question: b\\n    when: 'true'` | line 4: it belongs to a rule with verdict ask
            `rules:\\n  - name: [a`                         | line 2: it is not YAML
            `rules: &a [*a]`                                | line 1
            `rules:\\n  - name: a\\n    verdict: deny\\n    when: 'true'\\n    env: [CI]` | line 5: "env" belongs to a rule that allows spawns or asks about them
            `rules:\\n  - name: a\\n    verdict: allow\\n    when: 'true'\\n    operations: [stdin]\\n    env: [CI]` | line 6: "env" belongs to a rule
            `rules:\\n  - name: a\\n    verdict: allow\\n    when: 'true'\\n    env: [CI, "=x"]` | line 5: an entry of "env" must be NAME or NAME=VALUE, but one is "=x"
            `rules:\\n  - name: a\\n    verdict: allow\\n    when: 'true'\\n    env: [LD_PRELOAD]` | line 5: with any value of LD_PRELOAD a caller could run any code: list the accepted values as LD_PRELOAD=VALUE
            `rules:\\n  - name: a\\n    verdict: allow\\n    when: 'true'\\n    env: CI` | line 5: "env" must be a list
            """)
    void invalidFileIsRefusedWithLineAndReason(String text, String reason) {
        Path file = file(text.replace("\\n", "\n"));
        var broken = assertThrows(PolicyFileBroken.class, () -> new PolicySource(Profile.LOCAL, file).read());
        String expected = "The policy " + file + ", " + reason;
        String message = String.valueOf(broken.getMessage());
        assertEquals(expected, message.substring(0, Math.min(expected.length(), message.length())), message);
    }

    @Test
    void unreadableFileIsRefused() throws IOException {
        var missing = new PolicySource(Profile.LOCAL, folder.resolve("none.yaml"));
        assertEquals(
                "The policy " + folder.resolve("none.yaml") + " does not exist",
                assertThrows(PolicyFileBroken.class, missing::read).getMessage());
        Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, 0});
        assertThrows(PolicyFileBroken.class, new PolicySource(Profile.LOCAL, binary)::read);
        Path large = Files.write(folder.resolve("large"), "#".repeat(2 << 20).getBytes(StandardCharsets.UTF_8));
        assertThrows(PolicyFileBroken.class, new PolicySource(Profile.LOCAL, large)::read);
        assertThrows(PolicyFileBroken.class, new PolicySource(Profile.LOCAL, folder)::read);
    }

    @Test
    void safeRuleAcceptsOnlyListedVariables() {
        Policy safe = policy(Profile.SAFE, """
                rules:
                  - {name: plain, when: 'args.command == "ls"', verdict: allow, reason: looks}
                  - {name: listed, when: 'args.command == "make"', verdict: allow, reason: ours, env: [CI, LANG=C, LANG=C.UTF-8, PATH=/usr/bin]}
                  - {name: asked, when: 'args.command == "curl"', verdict: ask, question: 'May it?', env: [CI]}
                  - {name: later, when: 'true', verdict: allow, reason: never reached with a variable, env: [PATH=/tmp]}
                """);
        allowed(safe.verdict(PolicyQuestions.spawn("ls")));
        for (String name : List.of("PATH", "LD_PRELOAD", "BASH_ENV", "BASH_FUNC_ls%%", "NODE_OPTIONS", "CI")) {
            Verdict.Deny denied = denied(safe.verdict(PolicyQuestions.spawn("ls", Map.of(name, "secret-value"))));
            assertEquals("plain", denied.rule());
            assertEquals(
                    "it does not accept the environment variable " + name
                            + "; a rule accepts the variables in its list \"env\"",
                    denied.reason());
        }
        allowed(safe.verdict(
                PolicyQuestions.spawn("make", Map.of("CI", "anything", "LANG", "C.UTF-8", "PATH", "/usr/bin"))));
        assertEquals(
                "it does not accept this value of the environment variable PATH",
                denied(safe.verdict(PolicyQuestions.spawn("make", Map.of("PATH", "/tmp"))))
                        .reason());
        denied(safe.verdict(PolicyQuestions.spawn("make", Map.of("CI", "1", "IFS", "/"))));
        assertInstanceOf(Verdict.Ask.class, safe.verdict(PolicyQuestions.spawn("curl", Map.of("CI", "1"))));
        denied(safe.verdict(PolicyQuestions.spawn("curl", Map.of("LD_PRELOAD", "x.so"))));
    }

    @Test
    void localRuleWithoutAListAcceptsAllVariables() {
        Policy local = policy(Profile.LOCAL, """
                rules:
                  - {name: none, when: 'args.command == "ls"', verdict: allow, env: []}
                  - {name: any, when: 'args.command == "make"', verdict: allow}
                """);
        Map<String, String> path = Map.of("PATH", "/tmp");
        assertEquals(
                "none", denied(local.verdict(PolicyQuestions.spawn("ls", path))).rule());
        assertEquals(
                "any",
                allowed(local.verdict(PolicyQuestions.spawn("make", path))).rule());
        allowed(local.verdict(PolicyQuestions.spawn("other", path)));
    }

    @Test
    void reasonContainsNoControlCharacters() {
        Policy safe = policy(Profile.SAFE, "rules: [{name: a, when: 'true', verdict: allow, reason: b}]");
        Verdict.Deny denied = denied(safe.verdict(
                PolicyQuestions.spawn("ls", Map.of("A\u001b[2J\u202e\" denies spawn: " + "x".repeat(5000), "1"))));
        assertEquals(true, denied.reason().matches("[ -~]{1,250}"), denied::reason);
    }

    @Test
    void safeRequiresAReasonForAllowingSpawns() {
        var broken = assertThrows(PolicyFileBroken.class, () -> policy(Profile.SAFE, """
                rules:
                  - {name: a, when: "true", verdict: allow}
                """));
        assertEquals(true, String.valueOf(broken.getMessage()).contains("line 2: under the profile safe"));
    }
}
