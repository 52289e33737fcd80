package io.penstock.bench.soak.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Damages journal files as a bad disk or a person with a shell might. */
final class JournalDamage {

    private static final int HEADER_BYTES = 4096;
    private static final int LAST_BYTES = 16 << 10;

    private JournalDamage() {}

    static void at(Path journal, Random random) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(journal)) {
            files = all.filter(file -> file.toString().endsWith(".journal"))
                    .sorted()
                    .toList();
        }
        if (files.isEmpty()) {
            return;
        }
        Path last = files.getLast();
        // The last file is usually one that was prepared ahead and is still empty.
        for (Path file : files.reversed()) {
            if (random.nextInt(6) > 0 && dataBytes(file) > HEADER_BYTES) {
                last = file;
                break;
            }
        }
        int data = dataBytes(last);
        try (FileChannel channel = FileChannel.open(last, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (random.nextInt(3) > 0) {
                channel.truncate(
                        random.nextInt(4) > 0 ? data - random.nextInt(data / 3 + 1) : random.nextInt(data + 1));
            } else if (data > 0) {
                flip(channel, data - 1 - random.nextInt(Math.min(data, LAST_BYTES)), 1 << random.nextInt(8));
            }
        }
    }

    private static void flip(FileChannel channel, long at, int bit) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        channel.read(one, at);
        one.put(0, (byte) (one.get(0) ^ bit)).rewind();
        channel.write(one, at);
    }

    private static int dataBytes(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] == 0) {
            length--;
        }
        return length;
    }
}
