package io.penstock.server.ws;

import io.penstock.engine.screen.DrawnScreen;
import io.penstock.frames.Frame;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One language of viewers: how frames and news are written to one of them, and how is read what it wants. */
interface Wire extends AutoCloseable {

    /** Messages with all of these frames, each as large as may be. By one thread at a time. */
    List<Buffer> frames(List<Frame> frames) throws IOException;

    /** What the task is, which may have been told in messages that another viewer's made. */
    void spec(ToolTaskSpawned spec);

    /** Messages that make any terminal that is shown them show this, each made when it is taken. */
    Iterator<Buffer> screen(DrawnScreen screen);

    /** Null where this is not told. */
    @Nullable
    Buffer news(JsonObject news);

    /** Whether messages are text; else bytes. */
    boolean isText();

    List<Asked> readText(Buffer utf8);

    List<Asked> readBytes(Buffer bytes);

    @Override
    void close();
}
