package io.penstock.engine.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.frames.Actor;
import io.penstock.frames.Budgets;
import io.penstock.frames.ExecutionMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of rules and the profiles behind them: what they decide, and how broken ones are refused. */
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
    void theExampleOfTheGuideDecidesAsItSays() throws IOException {
        Matcher example = EXAMPLE.matcher(Files.readString(Path.of("../../docs/policy.md")));
        assertEquals(true, example.find());
        for (Profile profile : Profile.values()) {
            Policy policy = policy(profile, example.group(1));
            assertEquals(
                    "no-removal",
                    denied(policy.verdict(Asked.spawn("sudo rm -rf /"))).rule());
            Verdict.Allow make = allowed(policy.verdict(Asked.spawn("make test", ExecutionMode.PTY)));
            assertEquals("build-tools", make.rule());
            assertEquals(new Budgets(600_000L, 64L << 20, 100_000L), make.budgets());
            Actor stranger = Actor.user("stranger");
            assertEquals(
                    "only-the-owner-types",
                    denied(policy.verdict(Asked.to(Operation.STDIN, stranger))).rule());
            allowed(policy.verdict(Asked.to(Operation.STDIN, Actor.user("token"))));
            allowed(policy.verdict(Asked.to(Operation.CANCEL, stranger)));
        }
    }

    @Test
    void theProfileSafeBeginsNothingThatNoRuleAllowsAndNoTerminalThatNoRuleNames() {
        Policy safe = policy(Profile.SAFE, """
                rules:
                  - {name: make, when: 'args.command == "make"', verdict: allow, reason: ours}
                  - {name: top, when: 'args.command == "top"', verdict: allow, reason: looks, modes: [pty]}
                """);
        assertEquals("make", allowed(safe.verdict(Asked.spawn("make"))).rule());
        assertEquals(
                "safe: terminals",
                denied(safe.verdict(Asked.spawn("make", ExecutionMode.PTY))).rule());
        assertEquals(
                "top",
                allowed(safe.verdict(Asked.spawn("top", ExecutionMode.PTY))).rule());
        assertEquals("safe: tasks", denied(safe.verdict(Asked.spawn("top"))).rule());
        assertEquals(
                "safe: tasks", denied(safe.verdict(Asked.spawn("make test"))).rule());
        for (Operation operation : List.of(Operation.STDIN, Operation.RESIZE, Operation.SIGNAL, Operation.CANCEL)) {
            assertEquals(
                    "safe: control",
                    allowed(safe.verdict(Asked.to(operation, Asked.ALICE))).rule());
        }
        Policy none = new PolicySource(Profile.SAFE, null).read();
        denied(none.verdict(Asked.spawn("true")));
    }

    @Test
    void aRuleThatAllowsSpawnsGivesATerminalOnlyWhereItNamesOneAlsoBesideOtherOperations() {
        String rule = "rules: [{name: make, when: 'true', verdict: allow, reason: ours, operations: %s}]";
        for (String operations : List.of("[spawn]", "[spawn, stdin]")) {
            Policy safe = policy(Profile.SAFE, rule.formatted(operations));
            assertEquals("make", allowed(safe.verdict(Asked.spawn("make"))).rule());
            assertEquals(
                    "safe: terminals",
                    denied(safe.verdict(Asked.spawn("make", ExecutionMode.PTY))).rule());
        }
        Policy safe = policy(Profile.SAFE, rule.formatted("[spawn, stdin]"));
        assertEquals(
                "make",
                allowed(safe.verdict(Asked.to(Operation.STDIN, Asked.ALICE))).rule());
        Policy both = policy(Profile.SAFE, rule.formatted("[spawn, stdin], modes: [pty]"));
        allowed(both.verdict(Asked.spawn("make", ExecutionMode.PTY)));
        denied(both.verdict(Asked.spawn("make")));
    }

    @Test
    void theProfileFullAutoAllowsWithinBudgetsAlsoWhatARuleAllows() {
        Policy full = policy(Profile.FULL_AUTO, """
                rules:
                  - {name: short, when: 'args.command == "ls"', verdict: allow, budgets: {time: 5s}}
                """);
        Budgets usual = new Budgets(3_600_000L, 1L << 30, 1L << 20);
        assertEquals(usual, allowed(full.verdict(Asked.spawn("true"))).budgets());
        assertEquals(
                new Budgets(5_000L, usual.outputBytes(), usual.events()),
                allowed(full.verdict(Asked.spawn("ls"))).budgets());
        assertEquals(
                Budgets.NONE, allowed(Policy.LOCAL.verdict(Asked.spawn("true"))).budgets());
    }

    @Test
    void theFirstRuleThatIsAboutAQuestionDecides() {
        Policy policy = policy(Profile.LOCAL, """
                rules:
                  - {name: first, when: 'args.command.contains("a")', verdict: deny}
                  - {name: second, when: 'args.command.contains("b")', verdict: allow}
                  - {name: third, when: "true", verdict: deny, reason: nothing else}
                """);
        assertEquals(new Verdict.Deny("first", "the policy says no"), policy.verdict(Asked.spawn("ab")));
        assertEquals("second", allowed(policy.verdict(Asked.spawn("b"))).rule());
        assertEquals("third", denied(policy.verdict(Asked.spawn("c"))).rule());
    }

    @Test
    void theQuestionOfTheGuideIsAskedAboutWhatItSays() throws IOException {
        Matcher example = EXAMPLE.matcher(Files.readString(Path.of("../../docs/policy.md")));
        assertEquals(true, example.find());
        assertEquals(true, example.find(), "there is a second example");
        Policy policy = policy(Profile.LOCAL, example.group(1));
        for (String command : List.of("curl https://example.org", "make && wget x", "x;curl y")) {
            Verdict.Ask asked = assertInstanceOf(Verdict.Ask.class, policy.verdict(Asked.spawn(command)));
            assertEquals(300_000, asked.withinMs());
            assertEquals(new Budgets(600_000L, null, null), asked.budgets());
        }
        allowed(policy.verdict(Asked.spawn("echo curled")));
    }

    @Test
    void aRuleMayAskSomebody() {
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
                policy.verdict(Asked.spawn("curl x", ExecutionMode.PTY)));
    }

    @Test
    void aConditionWithoutAnAnswerDeniesInTheNameOfItsRule() {
        Policy policy = policy(Profile.LOCAL, """
                rules:
                  - {name: in-src, when: 'args.cwd == "src"', verdict: allow}
                """);
        Verdict.Deny denied = denied(policy.verdict(Asked.spawn("true")));
        assertEquals("in-src", denied.rule());
        assertEquals(true, denied.reason().contains("has no answer"), denied::reason);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``                                              | line 1: it is empty
            `rules: {}`                                     | line 1: "rules" is a list
            `rule: []`                                      | line 1: "rule" means nothing here; a policy has rules
            `rules:\\n  - name: a\\n    when: 'true'`       | line 2: "verdict" is missing
            `rules:\\n  - name: a\\n    verdict: maybe\\n    when: 'true'` | line 3: "verdict" must be of allow, deny, ask
            `rules:\\n  - {name: a, when: 'true', verdict: deny}\\n  - {name: a, when: 'true', verdict: deny}` | line 3: another rule is called "a" too
            `rules:\\n  - name: a\\n    verdict: deny\\n    when: tool = 3` | line 4: the condition is wrong: token recognition
            `rules:\\n  - name: a\\n    verdict: allow\\n    when: 'true'\\n    budgets:\\n      time: soon` | line 6: "time" must be a time, such as 30s, 10m or 2h, but is "soon"
            `rules:\\n  - name: a\\n    verdict: deny\\n    when: 'true'\\n    budgets: {time: 1s}` | line 5: budgets come with what is allowed
            `rules:\\n  - name: a\\n    verdict: deny\\n    when: 'true'\\n    modes: [window]` | line 5: "modes" must be of pipes, pty, but is "window"
            `rules:\\n  - name: a\\n    verdict: deny\\n    when: 'true'\\n    name: b` | line 5: "name" is there twice
            `rules:\\n  - name: a\\n    verdict: ask\\n    when: 'true'` | line 2: "question" is missing
            `rules:\\n  - name: a\\n    verdict: ask\\n    question: b\\n    when: 'true'\\n    operations: [stdin]` | line 6: only a spawn can wait
            `rules:\\n  - name: a\\n    verdict: deny\\n    question: b\\n    when: 'true'` | line 4: it belongs to a rule with verdict ask
            `rules:\\n  - name: [a`                         | line 2: it is not YAML
            `rules: &a [*a]`                                | line 1
            """)
    void aBrokenOneIsRefusedWithLineAndReason(String text, String reason) {
        Path file = file(text.replace("\\n", "\n"));
        var broken = assertThrows(PolicyFileBroken.class, () -> new PolicySource(Profile.LOCAL, file).read());
        String expected = "The policy " + file + ", " + reason;
        String message = String.valueOf(broken.getMessage());
        assertEquals(expected, message.substring(0, Math.min(expected.length(), message.length())), message);
    }

    @Test
    void whatIsNoReadableFileIsRefused() throws IOException {
        var missing = new PolicySource(Profile.LOCAL, folder.resolve("none.yaml"));
        assertEquals(
                "The policy " + folder.resolve("none.yaml") + " is not there",
                assertThrows(PolicyFileBroken.class, missing::read).getMessage());
        Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, 0});
        assertThrows(PolicyFileBroken.class, new PolicySource(Profile.LOCAL, binary)::read);
        Path large = Files.write(folder.resolve("large"), "#".repeat(2 << 20).getBytes(StandardCharsets.UTF_8));
        assertThrows(PolicyFileBroken.class, new PolicySource(Profile.LOCAL, large)::read);
        assertThrows(PolicyFileBroken.class, new PolicySource(Profile.LOCAL, folder)::read);
    }

    @Test
    void underTheProfileSafeAnAllowanceIsJustified() {
        var broken = assertThrows(PolicyFileBroken.class, () -> policy(Profile.SAFE, """
                rules:
                  - {name: a, when: "true", verdict: allow}
                """));
        assertEquals(true, String.valueOf(broken.getMessage()).contains("line 2: under the profile safe"));
    }
}
