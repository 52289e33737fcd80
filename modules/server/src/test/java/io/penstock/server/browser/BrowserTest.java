package io.penstock.server.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.opentest4j.AssertionFailedError;

/** The first half of the facts about the web client, and how a failing fact is reported. */
class BrowserTest extends BrowserTestBed {

    @Override
    String chosen() {
        return "--share=1/2";
    }

    /** It may be the first to install the browser. */
    @Test
    @Timeout(value = 12, unit = TimeUnit.MINUTES)
    void aFailedFactHidesNoOther() throws IOException {
        Map<String, String> results = new LinkedHashMap<>();
        try (BrowserFacts facts = BrowserFacts.run(arguments("--folder=examples"))) {
            facts.forEachRemaining(fact -> results.put(fact.getDisplayName(), resultOf(fact)));
        }
        assertEquals("passed", results.remove("a fact that holds"));
        assertEquals("passed", results.remove("a fact behind one that failed"));
        assertEquals(
                "passed", results.remove("no page throws, breaks its content security policy, or asks another host"));
        assertEquals("passed", results.remove(BrowserFacts.COMPLETE));

        String why = Objects.requireNonNull(results.remove("a fact that fails"));
        assertTrue(why.contains("expected: assert.equal(1 + 1, 3);"), why);
        assertTrue(why.contains("seen: Expected values to be strictly equal:"), why);
        assertTrue(why.contains("at: web-client/browser/examples/fails.mjs:"), why);
        assertTrue(why.contains("picture: ") && why.contains("/web-client/target/browser-facts/fails-2.png"), why);
        assertTrue(why.contains("No tasks yet"), why);

        String silent = Objects.requireNonNull(results.remove("the part “silent” runs to its end"));
        assertTrue(silent.contains("This part has no facts."), silent);
        String broken = Objects.requireNonNull(results.remove("the part “broken” runs to its end"));
        assertTrue(broken.contains("an error between facts"), broken);
        assertEquals(Map.of(), results);
    }

    private static String resultOf(DynamicTest fact) {
        try {
            fact.getExecutable().execute();
            return "passed";
        } catch (AssertionFailedError failed) {
            return String.valueOf(failed.getMessage());
        } catch (Throwable broken) {
            throw new AssertionError(broken);
        }
    }
}
