package io.penstock.engine.log.journal;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** Payloads derived from a seed and a number, and small journals to append them to. */
final class Payloads {
    static final UUID ID = UUID.fromString("6f1d2c3b-0000-4000-8000-00000000000a");

    private Payloads() {}

    static JournalSettings small(Path directory, int segmentBytes, Fsync fsync) {
        return new JournalSettings(directory, ID, segmentBytes, 1500, 64L << 20, fsync);
    }

    static JournalSettings small(Path directory) {
        return small(directory, 8192, new Fsync.Never());
    }

    static byte[] payload(long seed, int number) {
        Random random = new Random(seed * 1_000_003 + number);
        byte[] payload = new byte[random.nextInt(10) == 0 ? random.nextInt(1500) : random.nextInt(120)];
        random.nextBytes(payload);
        return payload;
    }

    static List<byte[]> payloads(long seed, int count) {
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            payloads.add(payload(seed, i));
        }
        return payloads;
    }

    /** Appends, and waits for the disk if necessary. */
    static long append(Journal journal, byte[] payload) {
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (true) {
            long position = journal.append(payload);
            if (position >= 0) {
                return position;
            }
            if (System.nanoTime() > deadline) {
                throw new AssertionError("held back for 10 s: " + journal.stats());
            }
            Thread.onSpinWait();
        }
    }

    static List<Long> appendAll(Journal journal, List<byte[]> payloads) {
        List<Long> positions = new ArrayList<>();
        payloads.forEach(payload -> positions.add(append(journal, payload)));
        return positions;
    }

    static List<byte[]> readAll(Journal journal) {
        List<byte[]> read = new ArrayList<>();
        JournalReader reader = journal.reader(journal.releasedPosition());
        while (reader.next()) {
            read.add(java.util.Arrays.copyOf(reader.buffer(), reader.length()));
        }
        return read;
    }
}
