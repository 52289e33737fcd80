package io.penstock.server;

import io.penstock.engine.policy.Policy;
import io.penstock.engine.policy.PolicyQuestion;
import io.penstock.engine.policy.PolicySource;
import io.penstock.engine.policy.Profile;
import io.penstock.engine.policy.Verdict;
import io.penstock.frames.Failure;
import io.penstock.frames.FrameJson;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.WholeCharacters;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reads a file of rules as a server would, and applies them to recorded spawns. */
@Command(
        name = "test",
        mixinStandardHelpOptions = true,
        description = "Checks a file of rules, and shows which rule decides each recorded spawn.",
        footer = {
            "",
            "EVENTS are frames as JSON, one per line, as GET /tasks/ID/events sends them; only spawns are used."
        })
final class PolicyTrial implements Callable<Integer> {

    private static final String SERVER_SENT = "data: ";
    private static final int SHOWN_CHARS = 61;

    @Parameters(index = "0", paramLabel = "FILE", description = "file of rules")
    private Path file = Path.of("policy.yaml");

    @Parameters(index = "1..*", paramLabel = "EVENTS", description = "files with events; - is standard input")
    private List<String> events = List.of();

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            defaultValue = "local",
            description = "what applies if no rule decides: local, full-auto or safe (default: ${DEFAULT-VALUE})")
    private String profile = "local";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final Map<String, Integer> decided = new LinkedHashMap<>();

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Policy policy = new PolicySource(Profile.parse(profile), file).read();
        out.println(file + " can be used: " + policy.name() + ".");
        policy.rules().forEach(rule -> decided.put(rule.name(), 0));
        decided.put(policy.otherwise().rule(), 0);
        for (String from : events) {
            try (BufferedReader lines = from.equals("-")
                    ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                    : Files.newBufferedReader(Path.of(from))) {
                lines.lines().forEach(line -> evaluate(policy, line, out));
            }
        }
        if (!events.isEmpty()) {
            out.println();
            decided.forEach((rule, times) -> out.printf("%6d  %s%n", times, rule));
        }
        out.flush();
        return 0;
    }

    private void evaluate(Policy policy, String line, PrintWriter out) {
        String json = line.startsWith(SERVER_SENT) ? line.substring(SERVER_SENT.length()) : line;
        if (!json.startsWith("{")) {
            return;
        }
        ToolTaskSpawned spawned;
        String task;
        try {
            var frame = FrameJson.parse(json);
            if (!(frame.body() instanceof ToolTaskSpawned body)) {
                return;
            }
            spawned = body;
            task = frame.stream().id();
        } catch (Failure e) {
            throw new Failure(e.code(), "This is not an event: " + shown(json) + " (" + e.getMessage() + ")", e);
        }
        Verdict verdict = policy.verdict(PolicyQuestion.spawn(spawned));
        decided.merge(verdict.rule(), 1, Integer::sum);
        out.printf(
                "%-5s  %-20s  %s  %s %s %s%s%n",
                word(verdict),
                verdict.rule(),
                task,
                spawned.toolName(),
                spawned.executionMode().wireName(),
                shown(spawned.args().text()),
                verdict instanceof Verdict.Deny denied ? "  (" + denied.reason() + ")" : "");
    }

    private static String word(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Allow _ -> "allow";
            case Verdict.Deny _ -> "deny";
            case Verdict.Ask _ -> "ask";
        };
    }

    private static String shown(String text) {
        return WholeCharacters.fitting(text, SHOWN_CHARS);
    }
}
