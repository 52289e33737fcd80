package io.penstock.engine.log;

import io.penstock.frames.ByteReader;
import io.penstock.frames.Ending;
import io.penstock.frames.Failure;
import io.penstock.frames.FrameType;
import io.penstock.frames.StoredForm;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.sqlclient.Tuple;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the frames of a group make of the rows of tasks: one change for each task, whatever happened to it. */
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
            // The frame itself is kept as it is; that a list lacks it must not hold up what comes after it.
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
        var phase = new Short[rows];
        var outcome = new @Nullable Short[rows];
        var exitCode = new @Nullable Integer[rows];
        var startedAt = new @Nullable Long[rows];
        var endedAt = new @Nullable Long[rows];
        var newRun = new Boolean[rows];
        int i = 0;
        for (TaskChange change : byStream.values()) {
            ToolTaskSpawned spec = change.spec;
            Ending ending = change.ending;
            streamNo[i] = change.streamNo;
            begins[i] = change.begins;
            session[i] = spec == null ? null : spec.originSessionId();
            tool[i] = spec == null ? null : storable(spec.toolName());
            title[i] = spec == null || spec.title() == null ? null : storable(spec.title());
            label[i] =
                    spec == null || spec.label() == null ? null : spec.label().text();
            mode[i] = spec == null ? null : (short) spec.executionMode().ordinal();
            spawnedAt[i] = change.spawnedAtMs;
            phase[i] = (short) change.phase.ordinal();
            outcome[i] = ending == null ? null : (short) ending.outcome().ordinal();
            exitCode[i] = ending == null ? null : ending.exitCode();
            startedAt[i] = change.startedAtMs;
            endedAt[i] = change.endedAtMs;
            newRun[i] = change.newRun;
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
                .addArrayOfString(label);
    }

    /** Postgres' text holds every character but one. The frame keeps it. */
    private static String storable(String text) {
        return text.replace('\0', '\uFFFD');
    }
}
