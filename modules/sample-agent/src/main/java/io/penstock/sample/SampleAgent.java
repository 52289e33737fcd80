package io.penstock.sample;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Speaks the Agent Client Protocol, version 1, on its pipes, and obeys each line of a prompt ({@link Turn}). */
public final class SampleAgent {

    private static final int PROTOCOL_VERSION = 1;

    private final Client client;
    private final Options options;
    private final Conversations conversations;

    /** The threads of the running turns, by conversation. */
    private final Map<String, Thread> turns = new ConcurrentHashMap<>();

    private @Nullable Features features;

    SampleAgent(Client client, Options options) {
        this.client = client;
        this.options = options;
        conversations = new Conversations(options.sessions());
    }

    public static void main(String[] words) {
        Options options;
        try {
            options = Options.parse(words);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        var client = new Client(new FileOutputStream(FileDescriptor.out));
        try {
            new SampleAgent(client, options).run(new FileInputStream(FileDescriptor.in));
        } catch (IOException | UncheckedIOException e) {
            System.err.println("The client cannot be reached: " + e.getMessage());
            System.exit(1);
        }
    }

    /** Serves the client until its input ends; running turns are then cancelled. */
    void run(InputStream in) throws IOException {
        var lines = new Lines(in);
        for (byte[] line = lines.next(); line != null; line = lines.next()) {
            if (line.length == 0) {
                client.refuse(
                        Json.NULL,
                        Refused.INVALID_REQUEST,
                        "A line has from 1 to " + Lines.LINE_BYTES + " bytes; this one has not");
            } else {
                receive(line);
            }
        }
        turns.values().forEach(Thread::interrupt);
    }

    private void receive(byte[] line) {
        Map<?, ?> message;
        try {
            message = Json.read(line);
        } catch (IOException e) {
            client.refuse(Json.NULL, Refused.PARSE_ERROR, "The line is not a JSON object");
            return;
        }
        if (!message.containsKey("method")) {
            client.answered(message);
            return;
        }
        String method = Json.text(message, "method");
        Object id = message.get("id");
        if (id == null) {
            if (method.equals("session/cancel")) {
                cancel(Json.text(Json.in(message, "params"), "sessionId"));
            }
            return;
        }
        try {
            Map<String, Object> result = answer(id, method, Json.in(message, "params"));
            if (result != null) {
                client.answer(id, result);
            }
        } catch (Refused e) {
            client.refuse(id, e.code(), e.sentence());
        } catch (IOException e) {
            client.refuse(id, Refused.INTERNAL_ERROR, "The conversation cannot be kept: " + e);
        }
    }

    /** The result; null if a turn gives it later. */
    private @Nullable Map<String, Object> answer(Object id, String method, Map<?, ?> params)
            throws Refused, IOException {
        if (method.equals("initialize")) {
            return initialize(params);
        }
        Features offered = features;
        if (offered == null) {
            throw new Refused(Refused.INVALID_REQUEST, "initialize comes first");
        }
        return switch (method) {
            case "authenticate" -> Json.object();
            case "session/new" ->
                Json.object("sessionId", conversations.create(cwd(params)).id());
            case "session/load" -> {
                String conversation = Json.text(params, "sessionId");
                if (turns.containsKey(conversation)) {
                    throw new Refused(Refused.INVALID_REQUEST, "A turn of the conversation is running");
                }
                conversations.load(conversation, cwd(params), client);
                yield Json.object();
            }
            case "session/prompt" -> {
                prompt(id, params, offered);
                yield null;
            }
            default -> throw new Refused(Refused.METHOD_NOT_FOUND, "There is no method \"" + method + "\"");
        };
    }

    private Map<String, Object> initialize(Map<?, ?> params) {
        features = Features.of(Json.in(params, "clientCapabilities"));
        return Json.object(
                "protocolVersion",
                PROTOCOL_VERSION,
                "agentCapabilities",
                Json.object(
                        "loadSession",
                        true,
                        "promptCapabilities",
                        Json.object("image", false, "audio", false, "embeddedContext", false)),
                "agentInfo",
                Json.object("name", "penstock-sample", "title", "Sample agent", "version", "1"),
                "authMethods",
                List.of());
    }

    private static Path cwd(Map<?, ?> params) throws Refused {
        String cwd = Json.text(params, "cwd");
        try {
            Path path = Path.of(cwd);
            if (path.isAbsolute()) {
                return path;
            }
        } catch (InvalidPathException e) {
            throw new Refused(Refused.INVALID_PARAMS, "cwd is not a path: " + e.getReason(), e);
        }
        throw new Refused(Refused.INVALID_PARAMS, "cwd must be an absolute path, not \"" + cwd + "\"");
    }

    private void prompt(Object id, Map<?, ?> params, Features offered) throws Refused, IOException {
        String name = Json.text(params, "sessionId");
        Conversation conversation = conversations.open(name);
        if (conversation == null) {
            throw new Refused(
                    Refused.RESOURCE_NOT_FOUND, "No conversation \"" + name + "\" is open: create or load it first");
        }
        if (turns.containsKey(name)) {
            throw new Refused(Refused.INVALID_REQUEST, "A turn of the conversation is running");
        }
        var turn = new Turn(client, conversation, offered, options, id, text(params));
        Thread thread = new Thread(() -> turn.run(() -> turns.remove(name)), "turn");
        turns.put(name, thread);
        thread.start();
    }

    /** The texts of a prompt; other content is not understood. */
    private static String text(Map<?, ?> params) {
        var texts = new ArrayList<String>();
        for (Object block : Json.list(params, "prompt")) {
            if (block instanceof Map<?, ?> content && Json.text(content, "type").equals("text")) {
                texts.add(Json.text(content, "text"));
            }
        }
        return String.join("\n", texts);
    }

    private void cancel(String conversation) {
        Thread turn = turns.get(conversation);
        if (turn != null) {
            turn.interrupt();
        }
    }
}
