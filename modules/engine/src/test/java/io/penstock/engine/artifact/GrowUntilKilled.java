package io.penstock.engine.artifact;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;

/** A program that appends as fast as it can and writes how much is stored to its output, until it is killed. */
final class GrowUntilKilled {
    static final int LARGEST = 20_000;

    private GrowUntilKilled() {}

    public static void main(String[] args) throws IOException {
        try (ArtifactStore store = ArtifactStore.open(Path.of(args[0]));
                FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
            ArtifactWriter writer = store.create(args[1], Long.MAX_VALUE);
            store.create(args[1] + ".empty", Long.MAX_VALUE);
            Random random = new Random(args[1].hashCode());
            ByteBuffer word = ByteBuffer.allocate(Long.BYTES);
            byte[] bytes = new byte[LARGEST];
            while (true) {
                random.nextBytes(bytes);
                writer.append(ByteBuffer.wrap(bytes, 0, 1 + random.nextInt(LARGEST)));
                word.putLong(0, writer.bytesStored());
                out.write(word.array());
            }
        }
    }

    /** The content that it has written, up to this many bytes. */
    static byte[] content(String id, int length) {
        Random random = new Random(id.hashCode());
        byte[] content = new byte[length];
        byte[] bytes = new byte[LARGEST];
        for (int at = 0; at < length; ) {
            random.nextBytes(bytes);
            int chunk = 1 + random.nextInt(LARGEST);
            System.arraycopy(bytes, 0, content, at, Math.min(chunk, length - at));
            at += chunk;
        }
        return content;
    }
}
