package io.penstock.sample;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Map;

/**
 * A conversation and its file, which has each update of the conversation as a line, as the client was sent it; a prompt is one too. Lines
 * are written at once: what the client has seen is there after {@code kill -9}.
 */
final class Conversation {

    /** Much longer than a demonstration, and read as a whole within some milliseconds. */
    static final int FILE_BYTES = 1024 * 1024;

    private static final String PROMPT = "user_message_chunk";

    private final String id;
    private final Path file;
    private final Path folder;
    private long bytes;
    private int prompts;
    private String lastPrompt = "";
    private BigDecimal cost = BigDecimal.ZERO;

    /** @param folder that the agent works in */
    Conversation(String id, Path file, Path folder) {
        this.id = id;
        this.file = file;
        this.folder = folder;
    }

    String id() {
        return id;
    }

    Path folder() {
        return folder;
    }

    /** The number of its prompts. */
    int prompts() {
        return prompts;
    }

    /** The newest prompt; empty if there is none. */
    String lastPrompt() {
        return lastPrompt;
    }

    /** The cost so far, since this program opened it. */
    BigDecimal spend(BigDecimal more) {
        cost = cost.add(more);
        return cost;
    }

    /** Whether nothing more is kept, so that no prompt can follow. */
    boolean isFull() {
        return bytes >= FILE_BYTES;
    }

    /** Reads the file and sends its updates to the client. */
    void replay(Client client) throws IOException {
        cutTornLine();
        try (InputStream in = new FileInputStream(file.toFile())) {
            var lines = new Lines(in);
            for (byte[] line = lines.next(); line != null; line = lines.next()) {
                Map<?, ?> update = Json.read(line);
                bytes += line.length + 1;
                notePrompt(update);
                client.notify("session/update", Json.object("sessionId", id, "update", update));
            }
        }
    }

    /** A program that is killed while it writes leaves a part of a line. */
    private void cutTornLine() throws IOException {
        try (var content = new RandomAccessFile(file.toFile(), "rw")) {
            long end = content.length();
            while (end > 0) {
                content.seek(end - 1);
                if (content.read() == '\n') {
                    break;
                }
                end--;
            }
            content.setLength(end);
        }
    }

    void keepPrompt(String text) throws IOException {
        keep(Json.object("sessionUpdate", PROMPT, "content", Json.object("type", "text", "text", text)));
    }

    /** Writes an update to the file, unless that is full. */
    void keep(Map<String, Object> update) throws IOException {
        notePrompt(update);
        if (isFull()) {
            return;
        }
        byte[] line = Json.line(update);
        // Not of java.nio: there, the interrupt by which a turn is cancelled closes the file.
        try (var out = new FileOutputStream(file.toFile(), true)) {
            out.write(line);
        }
        bytes += line.length;
    }

    private void notePrompt(Map<?, ?> update) {
        if (Json.text(update, "sessionUpdate").equals(PROMPT)) {
            prompts++;
            lastPrompt = Json.text(Json.in(update, "content"), "text");
        }
    }
}
