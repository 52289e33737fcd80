package io.penstock.server.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.frames.ByteReader;
import io.penstock.frames.ByteWriter;
import io.penstock.server.attach.Attached;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/** One session of a viewer, line by line, in the form of {@code conformance/attach}. */
final class Story {

    static final Path ROOT = Path.of("../../conformance/attach/v1");

    private static final String TASK = "11111111-2222-4333-8444-555555555555";
    private static final HexFormat HEX = HexFormat.of();

    private final StringBuilder lines = new StringBuilder();
    private final String name;
    private final String task;

    Story(String name, String task, String query, String subprotocol) {
        this.name = name;
        this.task = task;
        line(new JsonObject().put("attach", query).put("subprotocol", subprotocol));
    }

    private void line(JsonObject line) {
        lines.append(usual(line.encode())).append('\n');
    }

    void says(Attached viewer, JsonObject object) {
        viewer.say(object);
        line(new JsonObject().put("viewer", object));
    }

    void sends(Attached viewer, int kind, byte[] content, JsonObject means) {
        byte[] entry = entry(kind, content);
        viewer.send(Buffer.buffer(entry));
        line(new JsonObject().put("viewer", HEX.formatHex(entry)).put("means", means));
    }

    /** Notices come first: they have no fixed place among the frames. Presence may be sent at any time. */
    void hears(List<JsonObject> objects) {
        objects.stream()
                .filter(object -> !object.getString("type").equals("attach_viewers"))
                .sorted(Comparator.comparing(
                        object -> !Set.of("attach_done", "attach_refused").contains(object.getString("type"))))
                .forEach(object -> line(new JsonObject().put("server", object)));
    }

    /** The number of entries that output is split into depends on the machine. */
    void hearsEntries(List<Attached.Entry> entries) {
        var whole = new ArrayList<Attached.Entry>();
        for (Attached.Entry entry : entries) {
            boolean goesOn =
                    entry.kind() == 1 && !whole.isEmpty() && whole.getLast().kind() == 1;
            whole.add(goesOn ? joined(whole.removeLast(), entry) : entry);
        }
        whole.forEach(this::hears);
    }

    private void hears(Attached.Entry entry) {
        ByteReader reader = entry.reader();
        var means = new JsonObject();
        byte[] content = entry.content();
        switch (entry.kind()) {
            case 1 -> {
                means.put("kind", "output")
                        .put("nextSeq", reader.readNumber())
                        .put("channel", List.of("stdout", "stderr", "pty").get(reader.readByte()))
                        .put("offset", reader.readNumber());
                means.put("text", new String(reader.readRest(), StandardCharsets.UTF_8));
            }
            case 2, 3 -> {
                var json = new JsonObject(usual(entry.json().encode()));
                if (json.getString("type").equals("attach_viewers")) {
                    return;
                }
                content = json.encode().getBytes(StandardCharsets.UTF_8);
                means.put("kind", entry.kind() == 2 ? "frame" : "news").put("json", json);
            }
            default -> {
                means.put("kind", "screen")
                        .put("nextSeq", reader.readNumber())
                        .put("rows", reader.readNumber())
                        .put("cols", reader.readNumber())
                        .put("left", reader.readNumber());
                means.put("text", new String(reader.readRest(), StandardCharsets.UTF_8));
            }
        }
        line(new JsonObject()
                .put("server", HEX.formatHex(entry(entry.kind(), content)))
                .put("means", means));
    }

    private String usual(String json) {
        return json.replace(task, TASK)
                .replaceAll("artifacts/[0-9a-f]{2}/", "artifacts/11/")
                .replaceAll("_ms\":[1-9][0-9]*", "_ms\":1")
                .replaceAll("sha256:[0-9a-f]{64}", "sha256:" + "0".repeat(64))
                .replaceAll("\"containment\":\"[a-z]+\"", "\"containment\":\"session\"")
                .replaceAll("\"viewer\":\"v[0-9]+\"", "\"viewer\":\"v1\"");
    }

    void isOver(int code) throws IOException {
        line(new JsonObject().put("closed", code));
        String file = name + ".jsonl";
        if (Boolean.getBoolean("penstock.conformance.renew")) {
            Files.writeString(ROOT.resolve(file), lines);
        }
        assertEquals(Files.readString(ROOT.resolve(file)), lines.toString(), file);
    }

    private static byte[] entry(int kind, byte[] content) {
        var head = new ByteWriter();
        head.writeByte(kind);
        head.writeNumber(content.length);
        return Buffer.buffer(head.toByteArray()).appendBytes(content).getBytes();
    }

    /** Output that continues output of the same channel. */
    private static Attached.Entry joined(Attached.Entry first, Attached.Entry second) {
        ByteReader before = first.reader();
        ByteReader after = second.reader();
        before.readNumber();
        var place = new ByteWriter();
        place.writeNumber(after.readNumber());
        place.writeByte(before.readByte());
        after.readByte();
        place.writeNumber(before.readNumber());
        after.readNumber();
        return new Attached.Entry(
                1,
                Buffer.buffer(place.toByteArray())
                        .appendBytes(before.readRest())
                        .appendBytes(after.readRest())
                        .getBytes());
    }
}
