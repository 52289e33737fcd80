package io.penstock.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.checks.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The session in docs/taskd.md, as one pastes it. */
@Tag("server")
class TaskdDocTest {

    private static final Pattern EXAMPLES =
            Pattern.compile("```taskd-requests\n(.*?)```.*?```taskd-answers\n(.*?)```", Pattern.DOTALL);

    @Test
    void sessionGoesAsThePageSays() throws IOException {
        String page = Files.readString(Checkout.ROOT.resolve("docs/taskd.md"));
        try (var server = new RpcServer("--auth", "off");
                var host = new Host(server.address())) {
            int examples = 0;
            for (Matcher example = EXAMPLES.matcher(page); example.find(); examples++) {
                host.send(example.group(1).stripTrailing());
                for (String line : example.group(2).lines().toList()) {
                    String heard = String.valueOf(host.nextLine());
                    assertTrue(pattern(line).matcher(heard).matches(), () -> "wanted " + line + "\n heard " + heard);
                }
            }
            assertEquals(3, examples);
        }
    }

    private static Pattern pattern(String line) {
        return Pattern.compile(
                Arrays.stream(line.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
    }
}
