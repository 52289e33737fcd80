package io.penstock.server.browser;

import io.penstock.server.ServerProcess;
import io.penstock.server.guard.AnswerToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * A share of the facts about the web client in a real Chromium, beside a server of its own; the facts themselves are in
 * web-client/browser/facts. Each share is a class, so that the shares run side by side.
 */
@Tag("browser")
abstract class BrowserTestBed {

    /** So that the sample agent's questions wait for a person; everything else is as without rules. */
    private static final String RULES = """
            rules:
              - name: agents-ask
                operations: [agent_tool]
                when: args.agent_tool == "ask"
                verdict: ask
                question: May the agent do this
            """;

    private final Path data = ServerProcess.folder();
    private final Path answerToken = file("token-of-answers", answerToken());
    private final ServerProcess server = ServerProcess.ready(
            data, "--port", "0", "--policy", file("rules.yaml", RULES).toString(), "--task-usage", taskUsage());

    private String answerToken() {
        try {
            return AnswerToken.renew(data);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path file(String name, String content) {
        try {
            return Files.writeString(data.resolve(name), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The option of facts.mjs that chooses its facts. */
    abstract String chosen();

    /** Whether the server measures what tasks use. */
    String taskUsage() {
        return "off";
    }

    /** A stop ends the tasks that facts have left; killing the server would not. */
    @AfterEach
    void endServer() {
        server.signal("TERM");
        server.exitCode();
        server.close();
        ServerProcess.delete(data);
    }

    /** Each fact is a test. On a machine that has no browser yet, it is installed first. */
    @TestFactory
    Stream<DynamicTest> facts() throws IOException {
        return BrowserFacts.run(arguments(chosen(), "--answer-token=" + answerToken))
                .tests();
    }

    List<String> arguments(String... options) {
        return Stream.concat(
                        Stream.of(options),
                        Stream.of(server.address(), data.resolve("token").toString()))
                .toList();
    }
}
