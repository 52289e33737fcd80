package io.penstock.server.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.penstock.checks.Checkout;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;

/**
 * Runs `browser/facts.mjs` and reads its events: a test for each fact when it starts, with the fact's result, and a
 * last test for the run as a whole.
 */
final class BrowserFacts implements Iterator<DynamicTest>, AutoCloseable {

    static final String COMPLETE = "every part of the browser facts was tried to its end";

    private static final int KEPT_NOTES = 50;

    private final Process process;
    private final BufferedReader events;
    private final Set<String> parts = new LinkedHashSet<>(); // that have had no fact yet
    private final List<String> started = new ArrayList<>();
    private final Deque<String> notes = new ArrayDeque<>();
    private int passed;
    private int failed;
    private JsonObject next = new JsonObject();
    private boolean isOver;

    private BrowserFacts(Process process) {
        this.process = process;
        this.events = process.inputReader();
    }

    /** @param arguments of facts.mjs */
    static BrowserFacts run(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("node", "browser/facts.mjs", "--json"));
        command.addAll(arguments);
        return new BrowserFacts(new ProcessBuilder(command)
                .directory(Checkout.ROOT.resolve("web-client").toFile())
                .redirectErrorStream(true)
                .start());
    }

    Stream<DynamicTest> tests() {
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(this, Spliterator.ORDERED), false)
                .onClose(this::close);
    }

    @Override
    public boolean hasNext() {
        return !isOver;
    }

    @Override
    public DynamicTest next() {
        if (isOver) {
            throw new NoSuchElementException();
        }
        JsonObject event = read();
        while (!is(event, "started") && !is(event, "nothing")) {
            if (is(event, "begins")) {
                event.getJsonArray("parts").forEach(part -> parts.add((String) part));
            }
            next = event;
            event = read();
        }
        if (is(event, "nothing")) {
            isOver = true;
            return DynamicTest.dynamicTest(COMPLETE, this::isComplete);
        }
        String fact = event.getString("fact");
        started.add(fact);
        parts.remove(event.getString("part"));
        return DynamicTest.dynamicTest(fact, () -> ends(fact));
    }

    private void ends(String fact) {
        JsonObject event = read();
        if (is(event, "passed")) {
            passed++;
        } else if (is(event, "failed")) {
            failed++;
            fail(event.getString("why"));
        } else {
            fail("The run of the browser facts ended within “%s”.%n%s".formatted(fact, String.join("\n", notes)));
        }
    }

    private void isComplete() throws InterruptedException {
        String said = String.join("\n", notes);
        assertEquals("ended", next.getString("event"), () -> "It did not run to its end.\n" + said);
        assertEquals(passed, next.getInteger("passed"), "passed facts");
        assertEquals(failed, next.getInteger("failed"), "failed facts");
        assertEquals(Set.of(), parts, "parts without any fact");
        assertEquals(started.size(), Set.copyOf(started).size(), () -> "two facts have one name: " + started);
        assertEquals(failed == 0 ? 0 : 1, process.waitFor(), () -> "its exit code; it said:\n" + said);
    }

    /**
     * The next event other than notes, which are printed; other output of the process, such as a browser being
     * installed, counts as a note.
     */
    private JsonObject read() {
        try {
            for (String line; (line = events.readLine()) != null; ) {
                JsonObject event = line.startsWith("{\"event\":")
                        ? new JsonObject(line)
                        : JsonObject.of("event", "note", "text", line);
                if (!is(event, "note")) {
                    return event;
                }
                System.out.println(event.getString("text"));
                notes.add(event.getString("text"));
                if (notes.size() > KEPT_NOTES) {
                    notes.remove();
                }
            }
            return JsonObject.of("event", "nothing");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static boolean is(JsonObject event, String what) {
        return what.equals(event.getString("event"));
    }

    @Override
    public void close() {
        process.destroy();
    }
}
