package io.penstock.server.ws.wire;

import io.penstock.engine.screen.RenderedScreen;
import io.penstock.frames.Frame;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.server.request.CommandReader;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Encodes the messages to one viewer, and decodes those from it. */
public interface Wire extends AutoCloseable {

    /** Encodes frames into as few messages as their size limit allows. For one thread at a time. */
    List<Buffer> frames(List<Frame> frames) throws IOException;

    /** Sets the task's spec, whose frame may have been encoded by another viewer's wire. */
    void spec(ToolTaskSpawned spec);

    /** Messages that make any terminal show this screen, each encoded when it is taken. */
    Iterator<Buffer> screen(RenderedScreen screen);

    /** Encodes an object that is not a frame; null if this encoding has none. */
    @Nullable
    Buffer news(JsonObject news);

    /** Whether messages are text; otherwise they are bytes. */
    boolean isText();

    List<ClientMessage> readText(Buffer utf8, CommandReader commands);

    List<ClientMessage> readBytes(Buffer bytes, CommandReader commands);

    @Override
    void close();
}
