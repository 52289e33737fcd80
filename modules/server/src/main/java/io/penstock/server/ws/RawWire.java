package io.penstock.server.ws;

import io.penstock.engine.screen.DrawnScreen;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** For plain terminals: what the program writes, and what is typed. They do not number what they send. */
final class RawWire implements Wire {

    private final OutputPieces pieces;
    private long ops;

    RawWire(OutputPieces pieces) {
        this.pieces = pieces;
    }

    @Override
    public List<Buffer> frames(List<Frame> frames) throws IOException {
        var messages = new ArrayList<Buffer>();
        for (OutputPieces.Part part : pieces.parts(frames)) {
            if (part instanceof OutputPieces.Part.Output output) {
                for (int at = 0; at < output.bytes().length; at += WsLimits.MESSAGE_BYTES) {
                    int length = Math.min(WsLimits.MESSAGE_BYTES, output.bytes().length - at);
                    messages.add(Buffer.buffer(length).appendBytes(output.bytes(), at, length));
                }
            }
        }
        return messages;
    }

    @Override
    public void spec(ToolTaskSpawned spec) {
        pieces.spec(spec);
    }

    @Override
    public Iterator<Buffer> screen(DrawnScreen screen) {
        return new ScreenPieces(screen, (piece, left) -> Buffer.buffer(piece));
    }

    @Override
    public @Nullable Buffer news(JsonObject news) {
        return null;
    }

    @Override
    public boolean isText() {
        return false;
    }

    @Override
    public List<Asked> readText(Buffer utf8) {
        return readBytes(utf8);
    }

    @Override
    public List<Asked> readBytes(Buffer bytes) {
        var inputs = new ArrayList<Asked>();
        for (int at = 0; at < bytes.length(); at += Limits.STDIN_BYTES) {
            inputs.add(new Asked.Input(++ops, bytes.getBytes(at, Math.min(bytes.length(), at + Limits.STDIN_BYTES))));
        }
        return inputs;
    }

    @Override
    public void close() {}
}
