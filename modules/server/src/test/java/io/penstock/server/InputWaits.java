package io.penstock.server;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * A program's wait for input is reported with a delay: how often, and between which other frames, depends on the
 * machine.
 */
public final class InputWaits {
    private InputWaits() {}

    /** The frames without those about waiting for input and resuming. */
    public static List<JsonObject> leftOut(List<JsonObject> frames) {
        var others = new ArrayList<JsonObject>();
        boolean waited = false;
        for (JsonObject frame : frames) {
            boolean begins = begins(frame);
            boolean goesOn = waited && "running".equals(frame.getString("phase"));
            waited |= begins;
            if (!begins && !goesOn) {
                others.add(frame);
            }
        }
        return others;
    }

    /** Whether the frame reports that the program waits for input. */
    public static boolean begins(JsonObject frame) {
        return "awaiting_input".equals(frame.getString("phase")) && frame.getString("question") == null;
    }
}
