package io.penstock.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.penstock.server.guard.AccessToken;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code penstock token}: the command that the sign-in page recommends. */
class TokenCommandTest {

    @TempDir
    Path folder;

    private int run(StringWriter out) {
        return new CommandLine(new TokenCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(new StringWriter()))
                .execute("--data", folder.toString());
    }

    @Test
    void printsTheTokenAndNothingElse() throws Exception {
        AccessToken.keptIn(folder.resolve("token"));
        var out = new StringWriter();
        assertEquals(0, run(out));
        assertEquals(Files.readString(folder.resolve("token")), out.toString());
    }

    @Test
    void makesNoneWhereThereIsNone() {
        var out = new StringWriter();
        assertNotEquals(0, run(out));
        assertEquals("", out.toString());
        assertEquals(false, Files.exists(folder.resolve("token")));
    }
}
