package io.penstock.bench.faults;

import io.penstock.bench.soak.SoakFailure;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Every frame that any reader was shown. None may change, and none may be missing later. */
final class SeenFrames {

    /** The members that depend on how much of a piece of output a reader gets. */
    private static final List<String> SHOWN = List.of("chunk", "chunk_bytes", "chunk_truncated");

    /** By task and seq, a hash of what was shown. */
    private final Map<String, Map<Long, Integer>> tasks = new ConcurrentHashMap<>();

    private final AtomicLong shown = new AtomicLong();

    /** Records a frame, and fails if another was shown in its place before. */
    void show(String task, JsonObject frame) {
        long seq = frame.getLong("seq");
        // A recorded frame never changes, but the text that a reader gets may: if the disk was full, live viewers saw
        // output that is not stored, and an output may have been removed.
        JsonObject fixed = frame.copy();
        SHOWN.forEach(fixed::remove);
        JsonObject artifacts = fixed.getJsonObject("artifacts");
        JsonObject log = artifacts == null ? null : artifacts.getJsonObject("log");
        if (log != null) {
            log.remove("removed");
        }
        int hash = fixed.encode().hashCode();
        Integer before =
                tasks.computeIfAbsent(task, first -> new ConcurrentHashMap<>()).put(seq, hash);
        shown.incrementAndGet();
        if (before != null && before != hash) {
            throw new SoakFailure("frame " + seq + " of task " + task + " is another one now: " + frame.encode());
        }
    }

    /** The seq below which all frames of the task must exist. */
    long highest(String task) {
        return tasks.getOrDefault(task, Map.of()).keySet().stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(-1);
    }

    long shown() {
        return shown.get();
    }

    void forget(String task) {
        tasks.remove(task);
    }
}
