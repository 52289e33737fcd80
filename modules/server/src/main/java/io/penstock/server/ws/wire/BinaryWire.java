package io.penstock.server.ws.wire;

import io.penstock.engine.screen.RenderedScreen;
import io.penstock.engine.view.JsonFrames;
import io.penstock.frames.ByteReader;
import io.penstock.frames.ByteWriter;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.server.request.CommandReader;
import io.penstock.server.request.RequestFields;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The binary subprotocol, for terminals. A message is a sequence of entries, each a kind (one byte), the length of its
 * content (a number of seven bits a byte, lowest first), and the content. {@code web-client/src/attach/wire.ts} mirrors it.
 */
public final class BinaryWire implements Wire {

    // To viewers.
    static final int OUTPUT = 1;
    static final int FRAME = 2;
    static final int NEWS = 3;
    static final int SCREEN = 4;

    // From viewers.
    static final int INPUT = 1;
    static final int OBJECT = 2;
    static final int PARSED = 3;

    /** The most bytes of an output entry's kind, length, next seq, channel and offset. */
    private static final int HEADER_BYTES = 32;

    private final OutputPieces pieces;
    private final JsonFrames json;

    public BinaryWire(OutputPieces pieces, JsonFrames json) {
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
                    entry(message, FRAME, frame);
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

    /**
     * Appends an entry of output. Only the last entry of a piece advances next seq: a client that is disconnected before
     * attaches again for the whole piece, and knows by its offset which bytes it has.
     */
    private static void output(Buffer message, OutputPieces.Part.Output output, int at, int length) {
        boolean whole = at + length == output.bytes().length;
        var place = new ByteWriter();
        place.writeNumber(
                whole ? output.lastFrame().seq() + 1 : output.firstFrame().seq());
        place.writeByte(output.channel().ordinal());
        place.writeNumber(output.offset() + at);
        entry(message, OUTPUT, place, output.bytes(), at, length);
    }

    private static Buffer entry(Buffer message, int kind, byte[] bytes) {
        return entry(message, kind, new ByteWriter(), bytes, 0, bytes.length);
    }

    /** Appends an entry: its own fields, then a range of bytes. */
    private static Buffer entry(Buffer message, int kind, ByteWriter fields, byte[] bytes, int from, int length) {
        var header = new ByteWriter();
        header.writeByte(kind);
        header.writeNumber(fields.length() + (long) length);
        return message.appendBytes(header.array(), 0, header.length())
                .appendBytes(fields.array(), 0, fields.length())
                .appendBytes(bytes, from, length);
    }

    @Override
    public void spec(ToolTaskSpawned spec) {
        pieces.spec(spec);
        json.spec(spec);
    }

    @Override
    public Iterator<Buffer> screen(RenderedScreen screen) {
        return new ScreenPieces(screen, (piece, left) -> {
            var content = new ByteWriter();
            content.writeNumber(screen.seq() + 1);
            content.writeNumber(screen.rows());
            content.writeNumber(screen.cols());
            content.writeNumber(left);
            return entry(Buffer.buffer(), SCREEN, content, piece, 0, piece.length);
        });
    }

    @Override
    public Buffer news(JsonObject news) {
        return entry(Buffer.buffer(), NEWS, news.toBuffer().getBytes());
    }

    @Override
    public boolean isText() {
        return false;
    }

    @Override
    public List<ClientMessage> readText(Buffer utf8, CommandReader commands) {
        return List.of(ClientMessage.read(utf8.getBytes(), commands));
    }

    @Override
    public List<ClientMessage> readBytes(Buffer bytes, CommandReader commands) {
        var messages = new ArrayList<ClientMessage>();
        var reader = new ByteReader(bytes.getBytes());
        try {
            while (reader.hasMore()) {
                int kind = reader.readByte();
                var entry = new ByteReader(reader.readBytes());
                messages.add(
                        switch (kind) {
                            case INPUT ->
                                new ClientMessage.Command(entry.readNumber(), commands.input(entry.readRest()));
                            case OBJECT -> ClientMessage.read(entry.readRest(), commands);
                            case PARSED -> new ClientMessage.Parsed(entry.readNumber());
                            default ->
                                throw RequestFields.wrong("There is no kind " + kind
                                        + " of entry; known are 1 (input), 2 (a JSON object), 3 (parsed)");
                        });
            }
        } catch (BadClientMessage e) {
            boolean alone = messages.isEmpty() && !reader.hasMore();
            throw alone ? e : RequestFields.wrong(e.getMessage() + " Nothing of this message was done.");
        } catch (Failure e) {
            throw e.code() == FailureCode.MALFORMED_FRAME
                    ? RequestFields.wrong(
                            "The message is not made of whole entries, each a kind (one byte), the length of its"
                                    + " content (seven bits a byte, the lowest first), and that")
                    : e;
        }
        return messages;
    }

    @Override
    public void close() {
        json.close();
    }
}
