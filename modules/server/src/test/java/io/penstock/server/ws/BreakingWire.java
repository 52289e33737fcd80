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

/** Speaks another's language, but for what it throws. */
final class BreakingWire implements Wire {

    private final Wire wire;
    private final Set<String> at;
    private final Supplier<Throwable> broken;

    /** @param at what it throws at: one of its methods, or the type of news */
    BreakingWire(Wire wire, Set<String> at, Supplier<Throwable> broken) {
        this.wire = wire;
        this.at = at;
        this.broken = broken;
        reach("begin");
    }

    private void reach(String place) {
        if (at.contains(place)) {
            throw BreakingWire.<RuntimeException>unchecked(broken.get());
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E unchecked(Throwable e) throws E {
        throw (E) e;
    }

    @Override
    public List<Buffer> frames(List<Frame> frames) throws IOException {
        reach(frames.size() > 4 ? "many frames" : "few frames");
        return wire.frames(frames);
    }

    @Override
    public void spec(ToolTaskSpawned spec) {
        reach("spec");
        wire.spec(spec);
    }

    @Override
    public Iterator<Buffer> screen(RenderedScreen screen) {
        reach("screen");
        return wire.screen(screen);
    }

    @Override
    public @Nullable Buffer news(JsonObject news) {
        reach(news.getString("type"));
        return wire.news(news);
    }

    @Override
    public boolean isText() {
        return wire.isText();
    }

    @Override
    public List<ClientMessage> readText(Buffer utf8, CommandReader commands) {
        reach("text");
        return wire.readText(utf8, commands);
    }

    @Override
    public List<ClientMessage> readBytes(Buffer bytes, CommandReader commands) {
        reach("bytes");
        return wire.readBytes(bytes, commands);
    }

    @Override
    public void close() {
        wire.close();
        reach("close");
    }
}
