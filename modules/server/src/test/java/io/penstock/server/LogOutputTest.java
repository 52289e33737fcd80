package io.penstock.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LogOutputTest {

    private static final int LINES = 100_000;
    private static final String NOTE = " lines were dropped here because the log was not being read.";

    private final Pipe pipe = Pipe.open();
    private final LogOutput output = LogOutput.start(Channels.newOutputStream(pipe.sink()));
    private final PrintStream log = new PrintStream(output, false, StandardCharsets.UTF_8);
    private final BufferedReader reader = new BufferedReader(Channels.newReader(pipe.source(), StandardCharsets.UTF_8));

    LogOutputTest() throws IOException {}

    @AfterEach
    void end() throws IOException {
        pipe.source().close();
        pipe.sink().close();
    }

    private static String line(int number) {
        return "line " + number + " of a server that says much";
    }

    @Test
    void whoLogsDoesNotWaitForWhoeverReadsAndWhatIsLeftOutIsCounted() throws IOException {
        for (int i = 0; i < LINES; i++) {
            log.println(line(i));
        }
        int seen = 0;
        String next = reader.readLine();
        while (!next.endsWith(NOTE)) {
            assertEquals(line(seen), next);
            seen++;
            next = reader.readLine();
        }
        assertTrue(seen * line(0).length() > LogOutput.MAX_BYTES / 2, seen + " lines were kept");
        assertEquals(LINES - seen + NOTE, next);
        log.println("what is said then");
        assertEquals("what is said then", reader.readLine());
    }

    @Test
    void theLastWordsAreWrittenBeforeTheEnd() throws IOException {
        log.println("the last words, in ünicode");
        output.settle();
        pipe.source().configureBlocking(false);
        var written = ByteBuffer.allocate(100);
        pipe.source().read(written);
        assertEquals(
                "the last words, in ünicode\n",
                StandardCharsets.UTF_8.decode(written.flip()).toString());
    }
}
