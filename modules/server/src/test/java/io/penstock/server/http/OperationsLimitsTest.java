package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.checks.Checkout;
import io.penstock.frames.Limits;
import io.penstock.server.request.HttpLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The limits that docs/operations.md states are those of the code. */
class OperationsLimitsTest {

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    @Test
    void limitsAreThoseOfTheCode() throws IOException {
        String page = Files.readString(Checkout.ROOT.resolve("docs/operations.md"));
        for (String stated : new String[] {
            "| " + number(Limits.SCREEN_CELLS) + " cells, and " + number(Limits.SCREEN_HISTORY_LINES) + " lines",
            "of the heap, at most " + number(HttpLimits.CONNECTIONS),
            "| other connections | " + HttpLimits.STRANGERS + ", and " + number(HttpLimits.UNREAD_STRANGERS)
                    + " from which the server has not read yet |",
            "| " + HttpLimits.STRANGER_SECONDS + " s | closed |",
            "| " + HttpLimits.BODY_BYTES / (1 << 20) + " MiB, within " + HttpLimits.BODY_SECONDS
                    + " seconds; more than " + HttpLimits.SMALL_BODY_BYTES / 1024 + " KiB",
            "| " + number(Limits.TERMINAL_CELLS_PER_SIDE) + " rows and columns |",
            "at most " + Limits.ARTIFACT_GAPS + " gaps",
            "While fewer than " + number(Limits.DISK_RESERVE_INODES) + " inodes are free",
            "| " + number(Limits.OPEN_QUESTIONS) + "; " + (Limits.OPEN_QUESTION_CHARS >> 20) + " Mi characters |"
        }) {
            assertTrue(page.contains(stated), "docs/operations.md does not say \"" + stated + "\"");
        }
    }
}
