package io.penstock.bench.soak.log;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * The frames accepted by all appending processes together. Used by the thread that reads their output and by the one
 * that checks.
 */
final class AcceptedBook {

    private final Map<String, StreamBook> streams = new LinkedHashMap<>();
    private final Map<String, StreamBook> touched = new HashMap<>();
    private final List<String> names = new ArrayList<>();
    private long frames;

    synchronized void begun(String stream) {
        touch(stream);
    }

    synchronized void accepted(String stream, long seq, long writer, int checksum) {
        touch(stream).accepted(seq, writer, checksum);
        frames++;
        notifyAll();
    }

    private StreamBook touch(String stream) {
        StreamBook book = streams.get(stream);
        if (book == null) {
            book = new StreamBook(stream);
            streams.put(stream, book);
            names.add(stream);
        }
        touched.put(stream, book);
        return book;
    }

    /** The number of frames reported as accepted, over all streams. */
    synchronized long frames() {
        return frames;
    }

    synchronized Map<String, StreamBook> all() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(streams));
    }

    synchronized Set<String> names() {
        return Set.copyOf(streams.keySet());
    }

    /** The streams that changed since the last call. */
    synchronized Map<String, StreamBook> takeTouched() {
        var taken = new LinkedHashMap<>(touched);
        touched.clear();
        return taken;
    }

    /** Some streams to continue with, and the number of their accepted frames. */
    synchronized List<String> some(Random random, int most) {
        var lines = new LinkedHashMap<String, String>();
        for (int i = 0; i < most && !names.isEmpty(); i++) {
            String name = names.get(random.nextInt(names.size()));
            lines.put(
                    name,
                    name + " "
                            + streams.getOrDefault(name, new StreamBook(name)).count());
        }
        return List.copyOf(lines.values());
    }

    /** Waits until more frames than these have been accepted; false on timeout. */
    synchronized boolean awaitMoreThan(long known, long withinMs) throws InterruptedException {
        long end = System.nanoTime() + withinMs * 1_000_000;
        while (frames <= known) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }
}
