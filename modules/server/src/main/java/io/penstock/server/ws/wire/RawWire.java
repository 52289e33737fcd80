package io.penstock.server.ws.wire;

import io.penstock.engine.screen.RenderedScreen;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.server.request.CommandReader;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The raw protocol, for plain terminals: only output and input, without numbers. */
public final class RawWire implements Wire {

    private final OutputPieces pieces;
    private long ops;

    public RawWire(OutputPieces pieces) {
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
    public Iterator<Buffer> screen(RenderedScreen screen) {
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
    public List<ClientMessage> readText(Buffer utf8, CommandReader commands) {
        return readBytes(utf8, commands);
    }

    @Override
    public List<ClientMessage> readBytes(Buffer bytes, CommandReader commands) {
        var inputs = new ArrayList<ClientMessage>();
        for (int at = 0; at < bytes.length(); at += Limits.STDIN_BYTES) {
            inputs.add(new ClientMessage.Command(
                    ++ops, commands.input(bytes.getBytes(at, Math.min(bytes.length(), at + Limits.STDIN_BYTES)))));
        }
        return inputs;
    }

    @Override
    public void close() {}
}
