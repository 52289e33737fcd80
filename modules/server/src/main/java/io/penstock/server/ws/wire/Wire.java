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

/** One language of viewers: how frames and news are written to one of them, and how is read what it wants. */
public interface Wire extends AutoCloseable {

    /** Messages with all of these frames, each as large as may be. By one thread at a time. */
    List<Buffer> frames(List<Frame> frames) throws IOException;

    /** What the task is, which may have been told in messages that another viewer's made. */
    void spec(ToolTaskSpawned spec);

    /** Messages that make any terminal that is shown them show this, each made when it is taken. */
    Iterator<Buffer> screen(RenderedScreen screen);

    /** Null where this is not told. */
    @Nullable
    Buffer news(JsonObject news);

    /** Whether messages are text; else bytes. */
    boolean isText();

    List<ClientMessage> readText(Buffer utf8, CommandReader commands);

    List<ClientMessage> readBytes(Buffer bytes, CommandReader commands);

    @Override
    void close();
}
