package io.penstock.server.ws;

import io.penstock.engine.pump.JsonFrames;
import io.penstock.engine.screen.ScreenAt;
import io.penstock.frames.ByteReader;
import io.penstock.frames.ByteWriter;
import io.penstock.frames.Failure;
import io.penstock.frames.Frame;
import io.penstock.server.request.JsonFields;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * For terminals: a message is a sequence of entries, each a kind (one byte), the length of what follows (a number of seven bits a
 * byte, the lowest first), and that. {@code web-client/src/attach/wire.ts} mirrors it.
 */
final class BinaryWire implements Wire {

    // To viewers.
    static final int OUTPUT = 1;
    static final int FRAME = 2;
    static final int NEWS = 3;
    static final int SCREEN = 4;

    // From viewers.
    static final int INPUT = 1;
    static final int ASK = 2;
    static final int PARSED = 3;

    /** Kind, length, next seq, channel and offset of a piece of output are never longer. */
    private static final int HEADER_BYTES = 32;

    private final OutputPieces pieces;
    private final JsonFrames json;
    private final ByteWriter header = new ByteWriter();

    BinaryWire(OutputPieces pieces, JsonFrames json) {
        this.pieces = pieces;
        this.json = json;
    }

    @Override
    public List<Buffer> frames(List<Frame> frames) throws IOException {
        var messages = new ArrayList<Buffer>();
        Buffer message = Buffer.buffer();
        for (OutputPieces.Part part : pieces.parts(frames)) {
            switch (part) {
                case OutputPieces.Part.Other other -> {
                    byte[] frame = json.of(other.frame());
                    if (message.length() > 0
                            && message.length() + HEADER_BYTES + frame.length > WsLimits.MESSAGE_BYTES) {
                        messages.add(message);
                        message = Buffer.buffer();
                    }
                    entry(message, FRAME, frame, 0, frame.length);
                }
                case OutputPieces.Part.Output output -> {
                    byte[] bytes = output.bytes();
                    int at = 0;
                    do {
                        int room = WsLimits.MESSAGE_BYTES - HEADER_BYTES - message.length();
                        if (room <= 0) {
                            messages.add(message);
                            message = Buffer.buffer();
                            room = WsLimits.MESSAGE_BYTES - HEADER_BYTES;
                        }
                        int length = Math.min(room, bytes.length - at);
                        output(message, output, at, length);
                        at += length;
                    } while (at < bytes.length);
                }
            }
        }
        messages.add(message);
        return messages;
    }

    /** Only its last part says that its frames are whole: who is cut off before comes back for all of it, and knows by the offset what it has. */
    private void output(Buffer message, OutputPieces.Part.Output output, int at, int length) {
        boolean whole = at + length == output.bytes().length;
        header.clear();
        header.writeNumber(
                whole ? output.lastFrame().seq() + 1 : output.firstFrame().seq());
        header.writeByte(output.first().channel().ordinal());
        header.writeNumber(output.first().offset() + at);
        byte[] start = header.toByteArray();
        message.appendByte((byte) OUTPUT);
        header.clear();
        header.writeNumber(start.length + (long) length);
        message.appendBytes(header.array(), 0, header.length())
                .appendBytes(start)
                .appendBytes(output.bytes(), at, length);
    }

    private void entry(Buffer message, int kind, byte[] bytes, int from, int length) {
        header.clear();
        header.writeByte(kind);
        header.writeNumber(length);
        message.appendBytes(header.array(), 0, header.length()).appendBytes(bytes, from, length);
    }

    @Override
    public List<Buffer> screen(ScreenAt screen) {
        List<byte[]> pieces = ScreenPieces.of(screen);
        int left = pieces.stream().mapToInt(piece -> piece.length).sum();
        var messages = new ArrayList<Buffer>();
        for (byte[] piece : pieces) {
            left -= piece.length;
            var content = new ByteWriter();
            content.writeNumber(screen.seq() + 1);
            content.writeNumber(screen.screen().rows());
            content.writeNumber(screen.screen().cols());
            content.writeNumber(left);
            var start = new ByteWriter();
            start.writeByte(SCREEN);
            start.writeNumber(content.length() + (long) piece.length);
            messages.add(Buffer.buffer(start.toByteArray())
                    .appendBytes(content.toByteArray())
                    .appendBytes(piece));
        }
        return messages;
    }

    @Override
    public Buffer news(JsonObject news) {
        byte[] bytes = news.toBuffer().getBytes();
        Buffer message = Buffer.buffer();
        // Told while a worker may be at the frames, whose header this must not use.
        var start = new ByteWriter();
        start.writeByte(NEWS);
        start.writeNumber(bytes.length);
        return message.appendBytes(start.array(), 0, start.length()).appendBytes(bytes);
    }

    @Override
    public boolean isText() {
        return false;
    }

    @Override
    public List<Asked> read(String text) {
        return List.of(Asked.read(text));
    }

    @Override
    public List<Asked> read(Buffer bytes) {
        var asked = new ArrayList<Asked>();
        var reader = new ByteReader(bytes.getBytes());
        try {
            while (reader.hasMore()) {
                int kind = reader.readByte();
                var entry = new ByteReader(reader.readBytes());
                asked.add(
                        switch (kind) {
                            case INPUT -> new Asked.Input(entry.readNumber(), entry.readRest());
                            case ASK -> Asked.read(new String(entry.readRest(), StandardCharsets.UTF_8));
                            case PARSED -> new Asked.Parsed(entry.readNumber());
                            default ->
                                throw JsonFields.wrong("There is no kind " + kind
                                        + " of entry; known are 1 (input), 2 (a JSON object), 3 (parsed)");
                        });
            }
        } catch (Failure e) {
            throw JsonFields.wrong("The message cannot be used. " + e.getMessage());
        }
        return asked;
    }

    @Override
    public void close() {
        json.close();
    }
}
