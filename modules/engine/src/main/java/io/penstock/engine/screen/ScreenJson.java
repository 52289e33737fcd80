package io.penstock.engine.screen;

import io.penstock.engine.screen.terminal.CellStyle;
import io.penstock.engine.screen.terminal.Link;
import io.penstock.engine.screen.terminal.Mode;
import io.penstock.engine.screen.terminal.ScreenCells;
import io.penstock.engine.screen.terminal.ScreenLine;
import io.penstock.engine.screen.terminal.ScreenState;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A screen for programs that look at it. */
public final class ScreenJson {

    private ScreenJson() {}

    public static JsonObject of(ScreenAt at) {
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
                .put("mouse", screen.mouse().name().toLowerCase(Locale.ROOT))
                .put("lines", lines(screen.shown().lines()))
                .put("scrollback", lines(screen.history()));
    }

    private static JsonArray modes(ScreenState screen) {
        var modes = new JsonArray();
        Stream.of(Mode.values()).filter(screen.modes()::contains).forEach(mode -> modes.add(mode.wireName()));
        return modes;
    }

    private static JsonArray lines(List<ScreenLine> lines) {
        var array = new JsonArray();
        for (ScreenLine line : lines) {
            var cells = new JsonArray();
            line.cells().forEach(run -> cells.add(cells(run)));
            array.add(new JsonObject()
                    .put("text", line.text())
                    .put("wrapped", line.wrapped())
                    .put("runs", cells));
        }
        return array;
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

    /** A number of the palette, or #rrggbb; nothing for the terminal's own. */
    private static void colour(JsonObject json, String name, CellStyle.Colour colour) {
        switch (colour) {
            case CellStyle.Palette palette -> json.put(name, palette.index());
            case CellStyle.Rgb rgb -> json.put(name, String.format(Locale.ROOT, "#%06x", rgb.value()));
            case CellStyle.Usual _ -> {}
        }
    }
}
