package io.penstock.engine.artifact;

import io.penstock.engine.artifact.file.ArtifactFiles;
import io.penstock.engine.artifact.file.TailFile;
import io.penstock.engine.artifact.hole.Hole;
import io.penstock.engine.artifact.text.Gap;
import io.penstock.engine.artifact.text.LineMark;
import io.penstock.engine.artifact.text.Newlines;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes the oldest bytes of artifacts that keep their tail, on its own thread, because some file systems are slow at it. */
final class TailPuncher implements AutoCloseable {

    /** A multiple of every file system's block. */
    private static final long ALIGNED_BYTES = 64 * 1024;

    private static final int CHUNK_BYTES = 256 * 1024;
    private static final Logger LOG = LoggerFactory.getLogger(TailPuncher.class);

    private final ArtifactFiles files;
    private @Nullable Boolean possible;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("artifact-tails").factory());

    TailPuncher(ArtifactFiles files) {
        this.files = files;
    }

    /** Whether the file system supports it; tested at the first call. */
    synchronized boolean isPossible() {
        Boolean known = possible;
        if (known == null) {
            known = Hole.isPossibleIn(files.root());
            possible = known;
        }
        return known;
    }

    /** Schedules a cut after the digest has advanced, usually by 1 MiB. */
    void cutLater(GrowingArtifact growing) {
        try {
            thread.execute(() -> cut(growing));
        } catch (RejectedExecutionException e) {
            LOG.debug("The store is closed, and artifact {} stays as long as it is", growing.id(), e);
        }
    }

    /** Removes the bytes before the tail that the digest and the line index have read. */
    void cut(GrowingArtifact growing) {
        synchronized (growing.tailLock) {
            LineMark from = growing.kept();
            long to = Math.min(
                    growing.storedBytes() - growing.tailBytes(),
                    growing.lines().end().offset());
            to -= to % ALIGNED_BYTES;
            if (to <= from.offset()) {
                return;
            }
            try {
                Gap gap = growing.gaps().at(to);
                LineMark first = gap == null ? new LineMark(to, newlinesBefore(to, growing)) : gap.to();
                TailFile.write(files.kept(growing.id()), first);
                growing.keepFrom(first);
                Hole.punch(files.bytes(growing.id()), from.offset(), first.offset());
            } catch (IOException e) {
                LOG.warn("The oldest bytes of artifact {} cannot be given back: {}", growing.id(), String.valueOf(e));
                growing.cannotBeCut();
            }
        }
    }

    private long newlinesBefore(long to, GrowingArtifact growing) throws IOException {
        LineMark from = growing.kept();
        for (Gap gap = growing.gaps().in(from.offset(), to);
                gap != null;
                gap = growing.gaps().in(from.offset(), to)) {
            from = gap.to();
        }
        return from.newlines() + newlines(growing.id(), from.offset(), to);
    }

    private long newlines(String id, long from, long to) throws IOException {
        byte[] chunk = new byte[CHUNK_BYTES];
        long newlines = 0;
        try (FileChannel channel = ArtifactFiles.openToRead(files.bytes(id))) {
            for (long at = from; at < to; ) {
                int wanted = (int) Math.min(chunk.length, to - at);
                int length = ArtifactFiles.read(channel, at, chunk, wanted);
                if (length < wanted) {
                    throw new IOException("its file is shorter than it was");
                }
                newlines += Newlines.count(chunk, 0, length);
                at += length;
            }
        }
        return newlines;
    }

    @Override
    public void close() {
        thread.close();
    }
}
