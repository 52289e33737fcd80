package io.penstock.engine.log.journal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Allows one journal object per directory among all processes of the machine; the kernel releases the lock with the
 * process.
 */
record DirectoryLock(Path directory, FileChannel channel) {
    // Checked before the file lock, because closing a second channel on the lock file would drop this process' own
    // lock.
    private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

    static DirectoryLock acquire(Path given) throws IOException {
        Path directory = given.toRealPath();
        if (!HELD_HERE.add(directory)) {
            throw inUse(directory, "this process");
        }
        FileChannel channel;
        try {
            channel = FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException | RuntimeException e) {
            HELD_HERE.remove(directory);
            throw e;
        }
        try {
            if (channel.tryLock() != null) {
                return new DirectoryLock(directory, channel);
            }
            throw inUse(directory, "another process");
        } catch (IOException | RuntimeException e) {
            HELD_HERE.remove(directory);
            channel.close();
            throw e;
        }
    }

    private static JournalUnavailable inUse(Path directory, String holder) {
        return new JournalUnavailable(
                JournalUnavailable.Reason.IN_USE,
                "The journal in " + directory + " is in use by " + holder
                        + ": stop that one, or name another data directory.");
    }

    /** For an opening that has already failed and reports that failure. */
    void releaseQuietly() {
        try {
            release();
        } catch (IOException e) {
            System.getLogger(DirectoryLock.class.getName())
                    .log(System.Logger.Level.WARNING, "cannot release the lock of " + directory, e);
        }
    }

    void release() throws IOException {
        try {
            channel.close();
        } finally {
            HELD_HERE.remove(directory);
        }
    }
}
