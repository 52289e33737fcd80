package io.penstock.engine.artifact.file;

import java.io.IOException;
import java.util.LinkedHashSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The open files of growing artifacts, up to a limit; the least recently written ones are closed. */
public final class OpenFiles {

    private static final Logger LOG = LoggerFactory.getLogger(OpenFiles.class);

    private final int limit;
    private final LinkedHashSet<OpenFile> files = new LinkedHashSet<>();

    public OpenFiles(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("At least 1 file is open at a time, not " + limit);
        }
        this.limit = limit;
    }

    /**
     * Adds a file that is about to be opened, and closes another one for it. Locks have one order, a file's own before this one, so a file
     * in use is skipped and never waited for. At most one file per writing thread is in use.
     */
    synchronized void admit(OpenFile file) {
        for (int left = 2 * files.size(); left > 0 && files.size() >= limit; left--) {
            OpenFile oldest = files.removeFirst();
            if (oldest.used) {
                oldest.used = false;
                files.addLast(oldest);
            } else if (!closed(oldest)) {
                files.addLast(oldest);
            }
        }
        file.used = true;
        files.addLast(file);
    }

    /** Closes all other files that are not in use; returns whether there were any. */
    synchronized boolean closeIdle(OpenFile except) {
        return files.removeIf(file -> file != except && closed(file));
    }

    private static boolean closed(OpenFile file) {
        if (!file.lock.tryLock()) {
            return false;
        }
        try {
            file.close();
        } catch (IOException e) {
            // Nothing is lost: the bytes were written, and the next write reports the problem.
            LOG.warn("Closing {} failed", file.path(), e);
        } finally {
            file.lock.unlock();
        }
        return true;
    }

    public synchronized void closeAll() {
        files.removeIf(OpenFiles::closed);
    }

    synchronized void remove(OpenFile file) {
        files.remove(file);
    }

    public synchronized int count() {
        return files.size();
    }
}
