package io.penstock.engine.log.drain;

import io.penstock.engine.log.CommandText;
import io.penstock.frames.ByteReader;
import io.penstock.frames.Ending;
import io.penstock.frames.Failure;
import io.penstock.frames.FrameType;
import io.penstock.frames.Phase;
import io.penstock.frames.SpawnSpec;
import io.penstock.frames.StoredForm;
import io.penstock.frames.TaskLinks;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.sqlclient.Tuple;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The effect of a group's frames on the rows of tasks: one change per task, whatever happened to it. */
final class TaskChanges {

    private static final Logger log = LoggerFactory.getLogger(TaskChanges.class);

    private final Map<Long, TaskChange> byStream = new LinkedHashMap<>();

    void add(LogRecord.Framed frame) {
        if (!TaskChange.concerns(frame.type())) {
            return;
        }
        try {
            var body = StoredForm.read(FrameType.ofCode(frame.type()), new ByteReader(frame.body()));
            byStream.computeIfAbsent(frame.streamNo(), TaskChange::new).add(frame.seq(), frame.timestampMs(), body);
        } catch (Failure e) {
            // The frame itself is stored unchanged; its absence from a list must not block the frames after it.
            log.warn(
                    "Frame {} of stream number {} is not reflected in the list of tasks: {}",
                    frame.seq(),
                    frame.streamNo(),
                    e.getMessage());
        }
    }

    /** Adds the last parameters of {@code append_group.sql}. */
    Tuple addTo(Tuple parameters) {
        int rows = byStream.size();
        var streamNo = new Long[rows];
        var begins = new Boolean[rows];
        var session = new @Nullable String[rows];
        var tool = new @Nullable String[rows];
        var title = new @Nullable String[rows];
        var label = new @Nullable String[rows];
        var mode = new @Nullable Short[rows];
        var spawnedAt = new @Nullable Long[rows];
        var phase = new @Nullable Short[rows];
        var outcome = new @Nullable Short[rows];
        var exitCode = new @Nullable Integer[rows];
        var startedAt = new @Nullable Long[rows];
        var endedAt = new @Nullable Long[rows];
        var newRun = new Boolean[rows];
        var pinned = new @Nullable Boolean[rows];
        var command = new @Nullable String[rows];
        var parent = new @Nullable String[rows];
        var batch = new @Nullable String[rows];
        var cleared = new Boolean[rows];
        int i = 0;
        for (TaskChange change : byStream.values()) {
            SpawnSpec asked = change.asked;
            Ending ending = change.ending;
            streamNo[i] = change.streamNo;
            begins[i] = change.begins;
            session[i] = asked == null ? null : asked.originSessionId();
            tool[i] = asked == null ? null : storable(asked.toolName());
            title[i] = asked == null || asked.title() == null ? null : storable(asked.title());
            label[i] = asked == null || asked.label() == null
                    ? null
                    : asked.label().text();
            mode[i] = asked == null ? null : (short) asked.executionMode().ordinal();
            spawnedAt[i] = change.spawnedAtMs;
            phase[i] = change.phase == Phase.ABSENT ? null : (short) change.phase.ordinal();
            outcome[i] = ending == null ? null : (short) ending.outcome().ordinal();
            exitCode[i] = ending == null ? null : ending.exitCode();
            startedAt[i] = change.startedAtMs;
            endedAt[i] = change.endedAtMs;
            newRun[i] = change.newRun;
            pinned[i] = change.pinned;
            command[i] = asked == null ? null : storable(CommandText.of(asked));
            TaskLinks links = asked instanceof ToolTaskSpawned spec ? spec.links() : null;
            parent[i] = links == null ? null : links.parentTaskId();
            batch[i] = links == null || links.batch() == null ? null : storable(links.batch());
            cleared[i] = change.cleared;
            i++;
        }
        return parameters
                .addArrayOfLong(streamNo)
                .addArrayOfBoolean(begins)
                .addArrayOfString(session)
                .addArrayOfString(tool)
                .addArrayOfString(title)
                .addArrayOfShort(mode)
                .addArrayOfLong(spawnedAt)
                .addArrayOfShort(phase)
                .addArrayOfShort(outcome)
                .addArrayOfInteger(exitCode)
                .addArrayOfLong(startedAt)
                .addArrayOfLong(endedAt)
                .addArrayOfBoolean(newRun)
                .addArrayOfString(label)
                .addArrayOfBoolean(pinned)
                .addArrayOfString(command)
                .addArrayOfString(parent)
                .addArrayOfString(batch)
                .addArrayOfBoolean(cleared);
    }

    /** Text in Postgres cannot hold the NUL character. The frame keeps it. */
    private static String storable(String text) {
        return text.replace('\0', '\uFFFD');
    }
}
