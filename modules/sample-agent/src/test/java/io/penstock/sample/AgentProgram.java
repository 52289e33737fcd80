package io.penstock.sample;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The sample agent in a JVM of its own, and its client. */
final class AgentProgram implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 30;

    private final Process process;
    private final OutputStream in;
    private final BlockingQueue<byte[]> lines = new LinkedBlockingQueue<>();
    private final Path cwd;
    private int requests;
    private String conversation = "";

    /** The answer to a prompt, and what came before it. */
    record Answered(Map<?, ?> response, List<Map<?, ?>> before) {

        Map<?, ?> result() {
            return Json.in(response, "result");
        }

        String stopReason() {
            return Json.text(result(), "stopReason");
        }

        int errorCode() {
            return Json.in(response, "error").get("code") instanceof Number code ? code.intValue() : 0;
        }

        /** The updates of this kind. */
        List<Map<?, ?>> updates(String kind) {
            var updates = new ArrayList<Map<?, ?>>();
            for (Map<?, ?> message : before) {
                Map<?, ?> update = Json.in(Json.in(message, "params"), "update");
                if (Json.text(update, "sessionUpdate").equals(kind)) {
                    updates.add(update);
                }
            }
            return updates;
        }

        /** The texts of the updates of this kind. */
        String said(String kind) {
            var text = new StringBuilder();
            updates(kind).forEach(update -> text.append(Json.text(Json.in(update, "content"), "text")));
            return text.toString();
        }

        String said() {
            return said("agent_message_chunk");
        }
    }

    /** @param cwd the folder that it works in; conversations are kept below it */
    AgentProgram(Path cwd, String... words) {
        this.cwd = cwd;
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                SampleAgent.class.getName()));
        command.addAll(List.of(words));
        try {
            process = new ProcessBuilder(command)
                    .directory(cwd.toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        in = process.getOutputStream();
        var out = new Lines(process.getInputStream());
        Thread.ofPlatform().daemon().start(() -> {
            try {
                for (byte[] line = out.next(); line != null; line = out.next()) {
                    lines.add(line);
                }
            } catch (IOException e) {
                lines.clear(); // the program was ended, and its output closed
            }
        });
    }

    /** An initialized agent with a new conversation, whose client offers everything. */
    static AgentProgram ready(Path cwd, String... words) {
        var agent = new AgentProgram(cwd, words);
        agent.initialize(true);
        agent.conversation = Json.text(agent.call("session/new", agent.folder()).result(), "sessionId");
        return agent;
    }

    Answered initialize(boolean offers) {
        return call(
                "initialize",
                Json.object(
                        "protocolVersion",
                        1,
                        "clientCapabilities",
                        Json.object("fs", Json.object("writeTextFile", offers), "terminal", offers)));
    }

    /** The parameters of a new conversation. */
    Map<String, Object> folder() {
        return Json.object("cwd", cwd.toString(), "mcpServers", List.of());
    }

    String conversation() {
        return conversation;
    }

    Answered load(String id) {
        conversation = id;
        Map<String, Object> params = folder();
        params.put("sessionId", id);
        return call("session/load", params);
    }

    /** Sends a prompt and waits for its answer. */
    Answered prompt(String... promptLines) {
        return answered(begin(promptLines));
    }

    /** Sends a prompt; returns the id of the request. */
    int begin(String... promptLines) {
        return send(
                "session/prompt",
                Json.object(
                        "sessionId",
                        conversation,
                        "prompt",
                        List.of(Json.object("type", "text", "text", String.join("\n", promptLines)))));
    }

    void cancel() {
        send(Json.line(Json.object(
                "jsonrpc", "2.0", "method", "session/cancel", "params", Json.object("sessionId", conversation))));
    }

    Answered call(String method, Map<String, Object> params) {
        return answered(send(method, params));
    }

    private int send(String method, Map<String, Object> params) {
        int id = ++requests;
        send(Json.line(Json.object("jsonrpc", "2.0", "id", id, "method", method, "params", params)));
        return id;
    }

    void send(byte[] bytes) {
        try {
            in.write(bytes);
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void reply(Map<?, ?> request, Map<String, Object> result) {
        send(Json.line(Json.object("jsonrpc", "2.0", "id", id(request), "result", result)));
    }

    void refuse(Map<?, ?> request, String message) {
        send(Json.line(Json.object(
                "jsonrpc",
                "2.0",
                "id",
                id(request),
                "error",
                Json.object("code", Refused.INTERNAL_ERROR, "message", message))));
    }

    private static Object id(Map<?, ?> request) {
        Object id = request.get("id");
        if (id == null) {
            throw new AssertionError(request + " is not a request");
        }
        return id;
    }

    /** Reads until this request is answered. */
    Answered answered(int id) {
        var before = new ArrayList<Map<?, ?>>();
        while (true) {
            Map<?, ?> message = next();
            boolean answers = !message.containsKey("method")
                    && message.get("id") instanceof Number number
                    && number.intValue() == id;
            if (answers) {
                return new Answered(message, before);
            }
            before.add(message);
        }
    }

    /** Reads until the agent asks this of its client. */
    Map<?, ?> asked(String method) {
        while (true) {
            Map<?, ?> message = next();
            if (Json.text(message, "method").equals(method) && message.containsKey("id")) {
                return message;
            }
        }
    }

    Map<?, ?> next() {
        byte[] line = nextLine();
        try {
            return Json.read(line);
        } catch (IOException e) {
            throw new AssertionError("not JSON: " + new String(line, StandardCharsets.UTF_8), e);
        }
    }

    byte[] nextLine() {
        try {
            byte[] line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (line == null) {
                throw new AssertionError("the agent says nothing; it "
                        + (process.isAlive() ? "is alive" : "ended with " + process.exitValue()));
            }
            return line;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Ends its input. */
    void endInput() {
        try {
            in.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void kill() {
        process.destroyForcibly();
        exitCode();
    }

    int exitCode() {
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("the agent does not end");
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
