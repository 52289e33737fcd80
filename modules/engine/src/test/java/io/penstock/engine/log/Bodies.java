package io.penstock.engine.log;

import io.penstock.frames.Actor;
import io.penstock.frames.Channel;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.FrameBody;
import io.penstock.frames.JsonText;
import io.penstock.frames.LogRef;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSpawned;
import java.util.List;

/** Bodies to append, each identified by its number. */
public final class Bodies {

    private Bodies() {}

    public static FrameBody notice(long number) {
        return new TaskNotice("n" + number, "notice number " + number);
    }

    public static FrameBody delta(long offset, int bytes) {
        return new ToolTaskOutputDelta(Channel.PTY, offset, bytes, offset + bytes);
    }

    static FrameBody spawned(String title) {
        return new ToolTaskSpawned(
                "bash",
                new JsonText("{\"command\":\"true\"}"),
                null,
                title,
                ExecutionMode.PTY,
                null,
                List.of(new LogRef(Channel.PTY, "art-" + title.hashCode(), "artifacts/a")),
                null,
                null,
                Actor.user("tester"));
    }
}
