package io.penstock.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Agent programs that nobody here wrote, as they are installed from npm, each with a home of its own and the {@link StubModel} as its
 * model. {@code ./penstock agents-for-tests} installs them; a test without them fails.
 */
public final class RealAgents {

    /** A program that a test may start. */
    public record RealAgent(List<String> command, Map<String, String> environment) {}

    private RealAgents() {}

    /** codex over ACP; it asks before it runs commands that it does not trust if {@code asks}. */
    public static RealAgent codex(Path home, StubModel model, boolean asks) {
        Path program = installed("@zed-industries/codex-acp-linux-" + architecture() + "/bin/codex-acp");
        write(home.resolve("config.toml"), """
                model = "stub"
                model_provider = "stub"
                approval_policy = "%s"
                sandbox_mode = "danger-full-access"
                [model_providers.stub]
                name = "stub"
                base_url = "%s"
                wire_api = "responses"
                """.formatted(asks ? "untrusted" : "never", model.url()));
        return new RealAgent(
                List.of(program.toString()), Map.of("CODEX_HOME", home.toString(), "HOME", home.toString()));
    }

    /** pi in its RPC mode. A million tokens cost 10 dollars to read and 50 to write. */
    public static RealAgent pi(Path home, StubModel model) {
        Path program = installed("@mariozechner/pi-coding-agent/dist/cli.js");
        write(home.resolve("models.json"), """
                {"providers": {"stub": {"baseUrl": "%s", "api": "openai-completions", "apiKey": "none",
                  "models": [{"id": "stub", "cost": {"input": 10, "output": 50, "cacheRead": 0, "cacheWrite": 0}}]}}}
                """.formatted(model.url()));
        return new RealAgent(
                List.of("node", program.toString(), "--mode", "rpc", "--provider", "stub", "--model", "stub"),
                Map.of("PI_CODING_AGENT_DIR", home.toString(), "PI_OFFLINE", "1", "HOME", home.toString()));
    }

    /** opencode over ACP. */
    public static RealAgent opencode(Path home, StubModel model) {
        Path program = installed("opencode-linux-x64-baseline/bin/opencode");
        Path configuration = home.resolve("opencode.json");
        write(configuration, """
                {"model": "stub/stub", "small_model": "stub/stub", "provider": {"stub": {
                  "npm": "@ai-sdk/openai-compatible", "options": {"baseURL": "%s", "apiKey": "none"},
                  "models": {"stub": {"cost": {"input": 10, "output": 50}}}}}}
                """.formatted(model.url()));
        return new RealAgent(
                List.of(program.toString(), "acp"),
                Map.of(
                        "OPENCODE_CONFIG", configuration.toString(),
                        "OPENCODE_DISABLE_AUTOUPDATE", "1",
                        "OPENCODE_DISABLE_MODELS_FETCH", "1",
                        "HOME", home.toString(),
                        "XDG_CONFIG_HOME", home.resolve("config").toString(),
                        "XDG_DATA_HOME", home.resolve("data").toString(),
                        "XDG_STATE_HOME", home.resolve("state").toString(),
                        "XDG_CACHE_HOME", home.resolve("cache").toString()));
    }

    private static Path installed(String file) {
        Path path = folder().resolve("node_modules").resolve(file);
        if (!Files.isRegularFile(path)) {
            throw new AssertionError(
                    "This test runs a real agent program, which is not installed: ./penstock agents-for-tests installs it ("
                            + path + " is missing)");
        }
        return path;
    }

    private static Path folder() {
        String cache = System.getenv("XDG_CACHE_HOME");
        Path caches =
                cache == null || cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        return caches.resolve("penstock/agents");
    }

    private static String architecture() {
        return System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
    }

    private static void write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
