package io.penstock.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.checks.Checkout;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The session in docs/taskd.md, pasted into a shell. */
@Tag("server")
class TaskdDocTest {

    private static final Pattern BLOCKS =
            Pattern.compile("```(sh|taskd-requests|taskd-answers)\n(.*?)```", Pattern.DOTALL);

    /** Not every machine has nc; bash can do the same. */
    private static final String NC = """
            #!/usr/bin/env bash
            exec 3<>"/dev/tcp/$1/$2"
            cat <&3 &
            cat >&3
            """;

    private static void program(Path path, String script) throws IOException {
        Files.writeString(path, script);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void sessionGoesAsThePageSays() throws IOException {
        String page = Files.readString(Checkout.ROOT.resolve("docs/taskd.md"));
        try (var server = new RpcServer()) {
            Path folder = Files.createDirectory(server.data().resolveSibling("shell"));
            program(folder.resolve("nc"), NC);
            program(
                    folder.resolve("penstock"),
                    "#!/bin/sh\ncat '" + server.data().resolve("token") + "'\n");
            var builder = new ProcessBuilder("bash").directory(folder.toFile()).redirectErrorStream(true);
            builder.environment().merge("PATH", folder.toString(), (all, first) -> first + ":" + all);
            Process shell = builder.start();
            try (BufferedWriter pasted = shell.outputWriter();
                    BufferedReader shown = shell.inputReader()) {
                int blocks = 0;
                for (Matcher block = BLOCKS.matcher(page); block.find(); blocks++) {
                    if (!block.group(1).equals("taskd-answers")) {
                        pasted.write(block.group(2)
                                .replace("127.0.0.1 19384", server.address().replace(':', ' ')));
                        pasted.flush();
                        continue;
                    }
                    for (String line : block.group(2).lines().toList()) {
                        String heard = String.valueOf(shown.readLine());
                        assertTrue(
                                pattern(line).matcher(heard).matches(), () -> "wanted " + line + "\n heard " + heard);
                    }
                }
                assertEquals(8, blocks);
            } finally {
                shell.descendants().forEach(ProcessHandle::destroyForcibly);
                shell.destroyForcibly();
            }
        }
    }

    private static Pattern pattern(String line) {
        return Pattern.compile(
                Arrays.stream(line.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
    }
}
