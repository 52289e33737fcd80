package io.penstock.engine.log.drain;

import io.penstock.engine.log.journal.JournalReader;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Consecutive journal records that go to Postgres in one statement. */
public final class DrainGroup {

    /** Measured (docs/benchmarks.md): more rows per statement gain hardly anything and make each wait longer. */
    private static final int MAX_ROWS = 1000;

    /** A few large frames are a group too. */
    private static final int MAX_BYTES = 1 << 20;

    private final List<LogRecord.Begun> begun = new ArrayList<>();
    private final List<LogRecord.Framed> frames = new ArrayList<>();
    private final List<LogRecord.Keyed> keys = new ArrayList<>();
    private final Map<Long, Long> nextSeqs = new HashMap<>();
    private final long start;
    private long end;

    private DrainGroup(long start) {
        this.start = start;
        this.end = start;
    }

    /**
     * Reads the next records into a group; leaves records at or above the position {@code below}.
     *
     * @param start the position after the previous group, so that no record between them is missed
     */
    static DrainGroup fill(JournalReader reader, long start, long below) {
        var group = new DrainGroup(start);
        int rows = 0;
        int bytes = 0;
        while (rows < MAX_ROWS && bytes < MAX_BYTES && reader.nextPosition() < below && reader.next()) {
            group.add(LogRecord.read(reader.buffer(), reader.length()));
            rows++;
            bytes += reader.length();
        }
        if (!group.isEmpty()) {
            group.end = reader.nextPosition();
        }
        return group;
    }

    private void add(LogRecord record) {
        switch (record) {
            case LogRecord.Begun b -> begun.add(b);
            case LogRecord.Framed f -> {
                frames.add(f);
                nextSeqs.put(f.streamNo(), f.seq() + 1);
            }
            case LogRecord.Keyed k -> keys.add(k);
        }
    }

    boolean isEmpty() {
        return begun.isEmpty() && frames.isEmpty() && keys.isEmpty();
    }

    public long end() {
        return end;
    }

    public List<LogRecord.Begun> begun() {
        return begun;
    }

    /** The seq after the last frame in this group, by stream number. */
    public Map<Long, Long> nextSeqs() {
        return nextSeqs;
    }

    Set<Integer> frameDays() {
        var days = new HashSet<Integer>();
        for (long streamNo : nextSeqs.keySet()) {
            days.add(StreamNumbers.dayOf(streamNo));
        }
        return days;
    }

    Set<Integer> keyDays() {
        var days = new HashSet<Integer>();
        for (LogRecord.Keyed key : keys) {
            days.add(key.day());
        }
        return days;
    }

    /** The parameters of {@code append_group.sql}. */
    Tuple parameters(NodeClaim node) {
        int streams = begun.size();
        var streamNo = new Long[streams];
        var kind = new Short[streams];
        var id = new String[streams];
        for (int i = 0; i < streams; i++) {
            LogRecord.Begun b = begun.get(i);
            streamNo[i] = b.streamNo();
            kind[i] = (short) b.stream().kind().code();
            id[i] = b.stream().id();
        }
        var tasks = new TaskChanges();
        int rows = frames.size();
        var frameStream = new Long[rows];
        var seq = new Long[rows];
        var at = new Long[rows];
        var type = new Short[rows];
        var body = new Buffer[rows];
        for (int i = 0; i < rows; i++) {
            LogRecord.Framed f = frames.get(i);
            frameStream[i] = f.streamNo();
            seq[i] = f.seq();
            at[i] = f.timestampMs();
            type[i] = (short) f.type();
            body[i] = Buffer.buffer(f.body());
            tasks.add(f);
        }
        int answers = keys.size();
        var day = new Integer[answers];
        var principal = new String[answers];
        var key = new String[answers];
        var fingerprint = new Buffer[answers];
        var answer = new @Nullable Buffer[answers];
        var keyedAt = new Long[answers];
        for (int i = 0; i < answers; i++) {
            LogRecord.Keyed k = keys.get(i);
            day[i] = k.day();
            principal[i] = k.principal();
            key[i] = k.key();
            fingerprint[i] = Buffer.buffer(k.fingerprint());
            answer[i] = k.answered() ? Buffer.buffer(k.answer()) : null;
            keyedAt[i] = k.atMs();
        }
        return tasks.addTo(Tuple.of(node.nodeNo(), node.epoch(), start, end)
                .addArrayOfLong(streamNo)
                .addArrayOfShort(kind)
                .addArrayOfString(id)
                .addArrayOfLong(frameStream)
                .addArrayOfLong(seq)
                .addArrayOfLong(at)
                .addArrayOfShort(type)
                .addArrayOfBuffer(body)
                .addArrayOfInteger(day)
                .addArrayOfString(principal)
                .addArrayOfString(key)
                .addArrayOfBuffer(fingerprint)
                .addArrayOfBuffer(answer)
                .addArrayOfLong(keyedAt));
    }
}
