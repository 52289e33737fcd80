package io.penstock.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One prompt: obeys its lines, one after the other, and answers it. An interrupt cancels it. */
final class Turn {

    private static final String MESSAGE = "agent_message_chunk";
    private static final int FLOOD_CHUNK_BYTES = 4 * 1024;
    private static final int SHOWN_CHARS = 200;
    private static final int CONTEXT_TOKENS = 200_000;

    /** Of {@code /hang}: longer than anything that waits for it. */
    private static final Duration HANG = Duration.ofHours(1);

    private final Client client;
    private final Conversation conversation;
    private final Features features;
    private final Options options;
    private final Object promptId;
    private final String prompt;

    private final int promptsBefore;
    private final String lastBefore;
    private int calls;
    private long inputTokens;
    private long outputTokens;
    private boolean afterMessage;

    /** @param promptId of the request that is answered at the end */
    Turn(Client client, Conversation conversation, Features features, Options options, Object promptId, String prompt) {
        this.client = client;
        this.conversation = conversation;
        this.features = features;
        this.options = options;
        this.promptId = promptId;
        this.prompt = prompt;
        promptsBefore = conversation.prompts();
        lastBefore = conversation.lastPrompt();
    }

    /** @param ended called before the prompt is answered: another may follow at once */
    void run(Runnable ended) {
        try {
            obeyAndAnswer(ended);
        } catch (UncheckedIOException e) {
            System.err.println("The client cannot be reached: " + e.getMessage());
        }
    }

    private void obeyAndAnswer(Runnable ended) {
        String stopReason = "end_turn";
        @Nullable String failure = null;
        try {
            if (conversation.isFull()) {
                stopReason = "max_tokens";
            } else {
                conversation.keepPrompt(prompt);
                for (String line : prompt.split("\n")) {
                    if (!line.isBlank()) {
                        obey(line.strip());
                    }
                }
                endIfCancelled();
            }
        } catch (InterruptedException e) {
            stopReason = "cancelled";
        } catch (IOException e) {
            failure = "The conversation cannot be kept: " + e;
        }
        ended.run();
        if (failure != null) {
            client.refuse(promptId, Refused.INTERNAL_ERROR, failure);
            return;
        }
        Map<String, Object> result = Json.object("stopReason", stopReason);
        if (inputTokens + outputTokens > 0) {
            result.put(
                    "usage",
                    Json.object(
                            "totalTokens",
                            inputTokens + outputTokens,
                            "inputTokens",
                            inputTokens,
                            "outputTokens",
                            outputTokens));
        }
        client.answer(promptId, result);
    }

    private void obey(String line) throws InterruptedException, IOException {
        endIfCancelled();
        int space = line.indexOf(' ');
        String rest = space < 0 ? "" : line.substring(space + 1).strip();
        switch (space < 0 ? line : line.substring(0, space)) {
            case "/say" -> say(rest);
            case "/think" -> update(chunk("agent_thought_chunk", rest));
            case "/sleep" -> sleep(rest);
            case "/tool" -> tool(rest);
            case "/ask" -> ask(rest);
            case "/plan" -> plan(rest);
            case "/usage" -> usage(rest);
            case "/file" -> file(rest);
            case "/run" -> run(rest);
            case "/model" -> say("model " + options.model() + ", thinking " + options.thinking());
            case "/history" -> say(history());
            case "/flood" -> flood(rest);
            case "/garbage" ->
                client.send("{\"jsonrpc\": \"2.0\", oops \u00e9\n".getBytes(StandardCharsets.ISO_8859_1));
            case "/stray" -> client.answer(BigDecimal.valueOf(987_654_321), Json.object());
            case "/hang" -> {
                update(chunk("agent_thought_chunk", "The agent hangs."));
                hang();
            }
            case "/crash" -> {
                System.err.println("The sample agent crashes, as it was told to.");
                Runtime.getRuntime().halt(1);
            }
            default -> say("You said: " + line);
        }
    }

    private static void endIfCancelled() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    private static Map<String, Object> chunk(String kind, String text) {
        return Json.object("sessionUpdate", kind, "content", Json.object("type", "text", "text", text));
    }

    /** Messages without a tool call between them are one to the client, so each of them begins a line. */
    private void say(String text) throws IOException {
        update(chunk(MESSAGE, afterMessage ? "\n" + text : text));
    }

    private void update(Map<String, Object> update) throws IOException {
        conversation.keep(update);
        send(update);
    }

    private void send(Map<String, Object> update) {
        String kind = Json.text(update, "sessionUpdate");
        afterMessage = kind.equals(MESSAGE) || (afterMessage && !kind.startsWith("tool_call"));
        client.notify("session/update", Json.object("sessionId", conversation.id(), "update", update));
    }

    private void sleep(String text) throws InterruptedException, IOException {
        Long ms = number(text);
        if (ms == null) {
            say("/sleep needs milliseconds, not \"" + text + "\"");
        } else {
            Thread.sleep(ms);
        }
    }

    /** Null if it is not a number, or a negative one. */
    private static @Nullable Long number(String text) {
        try {
            long number = Long.parseLong(text);
            return number < 0 ? null : number;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private String beginCall(String title, String name, String kind, Map<String, Object> input) throws IOException {
        // Unique in the conversation, also after it was loaded.
        String id = "call-" + (promptsBefore + 1) + "-" + ++calls;
        update(Json.object(
                "sessionUpdate",
                "tool_call",
                "toolCallId",
                id,
                "title",
                title,
                "name",
                name,
                "kind",
                kind,
                "status",
                "pending",
                "rawInput",
                input));
        return id;
    }

    private void changeCall(String id, String status, List<?> content) throws IOException {
        Map<String, Object> update =
                Json.object("sessionUpdate", "tool_call_update", "toolCallId", id, "status", status);
        if (!content.isEmpty()) {
            update.put("content", content);
        }
        update(update);
    }

    private static List<?> text(String text) {
        return List.of(Json.object("type", "content", "content", Json.object("type", "text", "text", text)));
    }

    private void tool(String words) throws IOException {
        String[] parts = words.split(" ", 2);
        String text = parts.length < 2 ? "" : parts[1].strip();
        String id = beginCall(parts[0], parts[0], "other", Json.object("text", text));
        changeCall(id, "in_progress", List.of());
        changeCall(id, "completed", text(text));
    }

    private void ask(String question) throws InterruptedException, IOException {
        Map<String, Object> input = Json.object("question", question);
        String id = beginCall(question, "ask", "other", input);
        boolean allowed = false;
        String why = "";
        try {
            Map<?, ?> outcome = Json.in(
                    client.request(
                            "session/request_permission",
                            Json.object(
                                    "sessionId",
                                    conversation.id(),
                                    "toolCall",
                                    Json.object(
                                            "toolCallId",
                                            id,
                                            "title",
                                            question,
                                            "name",
                                            "ask",
                                            "kind",
                                            "other",
                                            "status",
                                            "pending",
                                            "rawInput",
                                            input),
                                    "options",
                                    List.of(
                                            Json.object("optionId", "allow", "name", "Allow", "kind", "allow_once"),
                                            Json.object("optionId", "deny", "name", "Deny", "kind", "reject_once")))),
                    "outcome");
            if (Json.text(outcome, "outcome").equals("cancelled")) {
                throw new InterruptedException();
            }
            allowed = Json.text(outcome, "optionId").equals("allow");
        } catch (Refused e) {
            why = ": " + e.sentence();
        }
        changeCall(id, allowed ? "completed" : "failed", List.of());
        say(allowed ? "allowed" : "denied" + why);
    }

    private void plan(String steps) throws IOException {
        var entries = new ArrayList<Map<String, Object>>();
        for (String step : steps.split(";")) {
            if (!step.isBlank()) {
                entries.add(Json.object("content", step.strip(), "priority", "medium", "status", "pending"));
            }
        }
        update(Json.object("sessionUpdate", "plan", "entries", entries));
    }

    /** Tokens are reported with the answer to the prompt, for the turn; the cost at once, as a sum. Neither is kept. */
    private void usage(String words) throws IOException {
        String[] parts = words.split("\\s+");
        Long input = number(parts[0]);
        Long output = parts.length == 3 ? number(parts[1]) : null;
        if (input == null || output == null || !parts[2].matches("[0-9]{1,9}(\\.[0-9]{1,9})?")) {
            say("/usage needs input tokens, output tokens and US dollars, not \"" + words + "\"");
            return;
        }
        inputTokens += input;
        outputTokens += output;
        send(Json.object(
                "sessionUpdate",
                "usage_update",
                "used",
                inputTokens + outputTokens,
                "size",
                CONTEXT_TOKENS,
                "cost",
                Json.object("amount", conversation.spend(new BigDecimal(parts[2])), "currency", "USD")));
    }

    private void file(String words) throws InterruptedException, IOException {
        String[] parts = words.split(" ", 2);
        if (!features.writesFiles()) {
            say("The client writes no files.");
            return;
        }
        try {
            client.request(
                    "fs/write_text_file",
                    Json.object(
                            "sessionId",
                            conversation.id(),
                            "path",
                            conversation.folder().resolve(parts[0]).toString(),
                            "content",
                            parts.length < 2 ? "" : parts[1] + "\n"));
            say("wrote " + parts[0]);
        } catch (Refused e) {
            say("did not write " + parts[0] + ": " + e.sentence());
        }
    }

    private void run(String command) throws InterruptedException, IOException {
        if (!features.runsCommands()) {
            say("The client runs no commands.");
            return;
        }
        String id = beginCall(command, "run", "execute", Json.object("command", command));
        String terminal;
        try {
            terminal = Json.text(
                    client.request(
                            "terminal/create",
                            Json.object(
                                    "sessionId",
                                    conversation.id(),
                                    "command",
                                    "/bin/sh",
                                    "args",
                                    List.of("-c", command),
                                    "cwd",
                                    conversation.folder().toString())),
                    "terminalId");
        } catch (Refused e) {
            changeCall(id, "failed", List.of());
            say("did not run: " + e.sentence());
            return;
        }
        Map<String, Object> named = Json.object("sessionId", conversation.id(), "terminalId", terminal);
        changeCall(id, "in_progress", List.of(Json.object("type", "terminal", "terminalId", terminal)));
        try {
            Map<?, ?> exit = client.request("terminal/wait_for_exit", named);
            Map<?, ?> output = client.request("terminal/output", named);
            Object code = exit.get("exitCode");
            changeCall(id, "completed", List.of());
            say(Json.text(output, "output").stripTrailing() + "\n"
                    + (code == null ? "signal " + Json.text(exit, "signal") : "exit code " + code));
        } catch (Refused e) {
            changeCall(id, "failed", List.of());
            say("did not run: " + e.sentence());
        } catch (InterruptedException e) {
            client.tell("terminal/kill", named);
            throw e;
        } finally {
            client.tell("terminal/release", named);
        }
    }

    private String history() {
        if (promptsBefore == 0) {
            return "No prompts before.";
        }
        String last = lastBefore.replace('\n', ' ');
        return (promptsBefore == 1 ? "1 prompt" : promptsBefore + " prompts") + " before; the last: "
                + (last.length() <= SHOWN_CHARS ? last : last.substring(0, SHOWN_CHARS) + "…");
    }

    /** Not kept in the file, which would be full. */
    private void flood(String text) throws InterruptedException, IOException {
        Long bytes = number(text);
        if (bytes == null) {
            say("/flood needs a number of bytes, not \"" + text + "\"");
            return;
        }
        String line = "0123456789".repeat(6) + "abc\n";
        String chunk = line.repeat(FLOOD_CHUNK_BYTES / line.length());
        for (long left = bytes; left > 0; left -= chunk.length()) {
            send(chunk(MESSAGE, left < chunk.length() ? chunk.substring(0, (int) left) : chunk));
            endIfCancelled();
        }
    }

    /** Only the end of the program ends it. */
    private static void hang() {
        long until = System.nanoTime() + HANG.toNanos();
        for (long left = HANG.toNanos(); left > 0; left = until - System.nanoTime()) {
            try {
                Thread.sleep(Duration.ofNanos(left));
            } catch (InterruptedException e) {
                continue;
            }
        }
    }
}
