package io.penstock.engine.screen;

import io.penstock.terminal.CellStyle;
import io.penstock.terminal.Link;
import io.penstock.terminal.Mode;
import io.penstock.terminal.ScreenCells;
import io.penstock.terminal.ScreenLine;
import io.penstock.terminal.ScreenState;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Iterator;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A screen as JSON, for programs. */
public final class ScreenJson {

    /** A piece ends with the line that reaches this size. */
    private static final int PIECE_BYTES = 32 * 1024;

    private ScreenJson() {}

    /** The JSON in pieces, each built on demand: the whole is several times as large as the screen in memory. */
    public static Iterator<Buffer> pieces(ScreenSnapshot at) {
        return new Pieces(at);
    }

    private static final class Pieces implements Iterator<Buffer> {

        private final Iterator<ScreenLine> lines;
        private final Iterator<ScreenLine> scrollback;
        private @Nullable JsonObject head;
        private boolean afterLine;
        private boolean inScrollback;
        private boolean done;

        Pieces(ScreenSnapshot at) {
            head = head(at);
            lines = at.screen().shown().lines().iterator();
            scrollback = at.screen().history().iterator();
        }

        @Override
        public boolean hasNext() {
            return !done;
        }

        @Override
        public Buffer next() {
            if (done) {
                throw new NoSuchElementException("the screen has no more pieces");
            }
            Buffer piece = Buffer.buffer();
            JsonObject first = head;
            if (first != null) {
                Buffer object = first.toBuffer();
                piece.appendBuffer(object.slice(0, object.length() - 1)).appendString(",\"lines\":[");
                head = null;
            }
            while (piece.length() < PIECE_BYTES && !done) {
                add(piece);
            }
            return piece;
        }

        private void add(Buffer piece) {
            Iterator<ScreenLine> here = inScrollback ? scrollback : lines;
            if (here.hasNext()) {
                if (afterLine) {
                    piece.appendString(",");
                }
                afterLine = true;
                piece.appendBuffer(line(here.next()).toBuffer());
            } else if (inScrollback) {
                piece.appendString("]}");
                done = true;
            } else {
                piece.appendString("],\"scrollback\":[");
                inScrollback = true;
                afterLine = false;
            }
        }
    }

    private static JsonObject head(ScreenSnapshot at) {
        ScreenState screen = at.screen();
        return new JsonObject()
                .put("task_id", at.taskId())
                .put("seq", at.seq())
                .put("offset_bytes", at.offset())
                .put("whole", at.whole())
                .put("rows", screen.rows())
                .put("cols", screen.cols())
                .put("title", screen.title())
                .put("alternate", screen.alternate() != null)
                .put(
                        "cursor",
                        new JsonObject()
                                .put("row", screen.y())
                                .put("col", screen.cursorColumn())
                                .put("visible", screen.modes().contains(Mode.CURSOR_SHOWN))
                                .put("shape", screen.cursorShape()))
                .put("modes", modes(screen))
                .put("mouse", screen.mouse().name().toLowerCase(Locale.ROOT));
    }

    private static JsonArray modes(ScreenState screen) {
        var modes = new JsonArray();
        Stream.of(Mode.values()).filter(screen.modes()::contains).forEach(mode -> modes.add(mode.wireName()));
        return modes;
    }

    private static JsonObject line(ScreenLine line) {
        var cells = new JsonArray();
        line.cells().forEach(run -> cells.add(cells(run)));
        return new JsonObject()
                .put("text", line.text())
                .put("wrapped", line.wrapped())
                .put("runs", cells);
    }

    private static JsonObject cells(ScreenCells run) {
        var json = new JsonObject().put("text", run.text()).put("cells", run.cells());
        CellStyle style = CellStyle.of(run.style());
        colour(json, "fg", style.foreground());
        colour(json, "bg", style.background());
        style.attributes().forEach(name -> json.put(name, true));
        Link link = run.link();
        if (link != null) {
            json.put("link", link.uri());
        }
        return json;
    }

    /** A number of the palette, or #rrggbb; nothing for the terminal's default. */
    private static void colour(JsonObject json, String name, CellStyle.Colour colour) {
        switch (colour) {
            case CellStyle.Palette palette -> json.put(name, palette.index());
            case CellStyle.Rgb rgb -> json.put(name, String.format(Locale.ROOT, "#%06x", rgb.value()));
            case CellStyle.Default _ -> {}
        }
    }
}
