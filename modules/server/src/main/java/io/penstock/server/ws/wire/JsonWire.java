package io.penstock.server.ws.wire;

import io.penstock.engine.screen.RenderedScreen;
import io.penstock.engine.view.JsonFrames;
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

/** The JSON subprotocol, for programs. A message is one or more objects, one per line. */
public final class JsonWire implements Wire {

    private final JsonFrames json;

    public JsonWire(JsonFrames json) {
        this.json = json;
    }

    @Override
    public List<Buffer> frames(List<Frame> frames) throws IOException {
        var messages = new ArrayList<Buffer>();
        Buffer message = Buffer.buffer();
        for (Frame frame : frames) {
            byte[] line = json.of(frame);
            if (message.length() > 0 && message.length() + 1 + line.length > WsLimits.MESSAGE_BYTES) {
                messages.add(message);
                message = Buffer.buffer();
            }
            if (message.length() > 0) {
                message.appendByte((byte) '\n');
            }
            message.appendBytes(line);
        }
        messages.add(message);
        return messages;
    }

    @Override
    public void spec(ToolTaskSpawned spec) {
        json.spec(spec);
    }

    @Override
    public Iterator<Buffer> screen(RenderedScreen screen) {
        return new ScreenPieces(screen, (piece, left) -> news(ServerMessages.screen(screen, piece, left > 0)));
    }

    @Override
    public Buffer news(JsonObject news) {
        return news.toBuffer();
    }

    @Override
    public boolean isText() {
        return true;
    }

    @Override
    public List<ClientMessage> readText(Buffer utf8, CommandReader commands) {
        return List.of(ClientMessage.read(utf8.getBytes(), commands));
    }

    @Override
    public List<ClientMessage> readBytes(Buffer bytes, CommandReader commands) {
        throw RequestFields.wrong("Messages in this subprotocol are text; send a JSON object");
    }

    @Override
    public void close() {
        json.close();
    }
}
