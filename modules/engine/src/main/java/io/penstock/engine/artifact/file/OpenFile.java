package io.penstock.engine.artifact.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The file of one growing artifact. The first byte creates it, and it is open only while {@link OpenFiles} has room for it. The writer
 * holds the lock; another thread takes it only to close the file, and only if it is free.
 */
public final class OpenFile {

    /** Small writes go through a mapped window, after this many of them. */
    private static final int SMALL_BYTES = 2048;

    private static final int SMALL_BEFORE_MAPPED = 32;

    private final Path path;
    private final OpenFiles open;
    final ReentrantLock lock = new ReentrantLock();
    private @Nullable FileChannel channel;
    private @Nullable AppendWindow window;
    private int smallWrites;
    private boolean tooLong;
    private boolean exists;
    /** Whether it was written since {@link OpenFiles} last checked; a hint, so no lock guards it. */
    volatile boolean used;

    /** @param exists whether the file exists already, and is as long as its stored bytes */
    public OpenFile(Path path, OpenFiles open, boolean exists) {
        this.path = path;
        this.open = open;
        this.exists = exists;
    }

    Path path() {
        return path;
    }

    public int write(ByteBuffer bytes, long offset) throws IOException {
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
            int length = bytes.remaining();
            AppendWindow here = length <= SMALL_BYTES ? windowFor(file, offset, length) : null;
            if (here == null) {
                return file.write(bytes, offset);
            }
            here.put(offset, bytes);
            return length;
        } finally {
            lock.unlock();
        }
    }

    /** The window; null after few small writes, or if the disk has no space for it. */
    private @Nullable AppendWindow windowFor(FileChannel file, long offset, int length) {
        AppendWindow here = window;
        if (here != null && here.holds(offset, length)) {
            return here;
        }
        closeWindow();
        if (++smallWrites <= SMALL_BEFORE_MAPPED) {
            return null;
        }
        tooLong = true;
        try {
            here = AppendWindow.open(file, offset);
        } catch (IOException e) {
            // If there is no space for the write either, it fails with the reason.
            smallWrites = 0;
            return null;
        }
        window = here;
        return here;
    }

    private void closeWindow() {
        AppendWindow last = window;
        window = null;
        if (last != null) {
            last.close();
        }
    }

    private FileChannel openAtLast() throws IOException {
        try {
            return reopen();
        } catch (FileSystemException e) {
            // The process is out of descriptors: close files that wait for their next write.
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

    private void cut(long stored) throws IOException {
        closeWindow();
        FileChannel file = channel;
        if (file == null && exists) {
            file = openAtLast();
            channel = file;
        }
        if (file != null) {
            file.truncate(stored);
        }
    }

    /** The caller holds the lock. */
    void close() throws IOException {
        closeWindow();
        FileChannel file = channel;
        channel = null;
        if (file != null) {
            file.close();
        }
    }

    /** Closes the file at the end, and truncates the bytes that a failed write left after the stored ones. */
    public void finish(long stored, boolean failed) throws IOException {
        lock.lock();
        try {
            open.remove(this);
            if (failed || tooLong) {
                cut(stored);
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
