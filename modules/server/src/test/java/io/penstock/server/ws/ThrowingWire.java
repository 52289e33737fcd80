package io.penstock.server.ws;

import io.penstock.engine.screen.RenderedScreen;
import io.penstock.frames.Frame;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.server.request.CommandReader;
import io.penstock.server.ws.wire.ClientMessage;
import io.penstock.server.ws.wire.Wire;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Another wire, which throws in some of its methods. */
final class ThrowingWire implements Wire {

    private final Wire wire;
    private final Set<String> at;
    private final Supplier<Throwable> exception;

    /** @param at where it throws: one of its methods, or the type of an object that is not a frame */
    ThrowingWire(Wire wire, Set<String> at, Supplier<Throwable> exception) {
        this.wire = wire;
        this.at = at;
        this.exception = exception;
        enter("create");
    }

    private void enter(String place) {
        if (at.contains(place)) {
            throw ThrowingWire.<RuntimeException>unchecked(exception.get());
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E unchecked(Throwable e) throws E {
        throw (E) e;
    }

    @Override
    public List<Buffer> frames(List<Frame> frames) throws IOException {
        enter(frames.size() > 4 ? "many frames" : "few frames");
        return wire.frames(frames);
    }

    @Override
    public void spec(ToolTaskSpawned spec) {
        enter("spec");
        wire.spec(spec);
    }

    @Override
    public Iterator<Buffer> screen(RenderedScreen screen) {
        enter("screen");
        return wire.screen(screen);
    }

    @Override
    public @Nullable Buffer news(JsonObject news) {
        enter(news.getString("type"));
        return wire.news(news);
    }

    @Override
    public boolean isText() {
        return wire.isText();
    }

    @Override
    public List<ClientMessage> readText(Buffer utf8, CommandReader commands) {
        enter("text");
        return wire.readText(utf8, commands);
    }

    @Override
    public List<ClientMessage> readBytes(Buffer bytes, CommandReader commands) {
        enter("bytes");
        return wire.readBytes(bytes, commands);
    }

    @Override
    public void close() {
        wire.close();
        enter("close");
    }
}
