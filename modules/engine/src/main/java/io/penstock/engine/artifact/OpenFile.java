package io.penstock.engine.artifact;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The file of one growing artifact: made at its first byte, and open only while {@link OpenFiles} has room for it. Its
 * lock is the writer's nearly always; another thread takes it only to close the file, and only if it is free.
 */
final class OpenFile {

    private final Path path;
    private final OpenFiles open;
    final ReentrantLock lock = new ReentrantLock();
    private @Nullable FileChannel channel;
    private boolean exists;
    /** Written to since the last look of {@link OpenFiles}; a hint, so no lock guards it. */
    volatile boolean used;

    OpenFile(Path path, OpenFiles open) {
        this.path = path;
        this.open = open;
    }

    Path path() {
        return path;
    }

    int write(ByteBuffer bytes, long offset) throws IOException {
        lock.lock();
        try {
            FileChannel file = channel;
            if (file == null) {
                open.admit(this);
                file = openAtLast();
                channel = file;
            }
            if (!used) {
                used = true;
            }
            return file.write(bytes, offset);
        } finally {
            lock.unlock();
        }
    }

    private FileChannel openAtLast() throws IOException {
        try {
            return reopen();
        } catch (FileSystemException e) {
            // Something else in this process uses up its descriptors: give back those that wait for their next write.
            if (!"Too many open files".equals(e.getReason()) || !open.closeIdle(this)) {
                throw e;
            }
            return reopen();
        }
    }

    private FileChannel reopen() throws IOException {
        if (exists) {
            return ArtifactFiles.openToWrite(path);
        }
        FileChannel created = ArtifactFiles.create(path);
        exists = true;
        return created;
    }

    /** By whoever has the lock. */
    void close() throws IOException {
        FileChannel file = channel;
        channel = null;
        if (file != null) {
            file.close();
        }
    }

    /** For good, with nothing behind what is stored: what a failed write left there belongs to nobody. */
    void finish(long stored, boolean failed) throws IOException {
        lock.lock();
        try {
            open.leave(this);
            FileChannel file = channel;
            if (file != null && failed) {
                file.truncate(stored);
            }
        } finally {
            try {
                close();
            } finally {
                lock.unlock();
            }
        }
    }
}
