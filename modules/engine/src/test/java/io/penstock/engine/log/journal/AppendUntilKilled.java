package io.penstock.engine.log.journal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A program that appends as fast as it can and prints each accepted position, until it is killed. */
final class AppendUntilKilled {
    private AppendUntilKilled() {}

    public static void main(String[] args) throws IOException {
        Path directory = Path.of(args[0]);
        long drained = Long.parseLong(args[1]);
        long seed = Long.parseLong(args[2]);
        try (Journal journal = Journal.open(Payloads.small(directory, 65536, new Fsync.Never()), drained);
                FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
            ByteBuffer word = ByteBuffer.allocate(Long.BYTES);
            for (int i = 0; ; i++) {
                word.putLong(0, Payloads.append(journal, Payloads.payload(seed, i)));
                out.write(word.array());
            }
        } catch (JournalUnavailable e) {
            System.err.println(e.sentence());
            System.exit(3);
        }
    }
}
