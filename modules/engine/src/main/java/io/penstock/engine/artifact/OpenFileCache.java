package io.penstock.engine.artifact;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The artifacts whose files were opened last, found and read again without a system call. An artifact that is fetched in many ranges, or
 * read while it grows, is opened once.
 */
final class OpenFileCache {

    private static final class CacheEntry {
        private final Artifact artifact;
        private final ReadFile file;
        private boolean used = true;

        private CacheEntry(Artifact artifact, ReadFile file) {
            this.artifact = artifact;
            this.file = file;
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(OpenFileCache.class);

    private final int limit;
    private final LinkedHashMap<String, CacheEntry> kept = new LinkedHashMap<>(16, 0.75f, true);

    OpenFileCache(int limit) {
        this.limit = limit;
    }

    synchronized @Nullable Artifact find(String id) {
        CacheEntry found = kept.get(id);
        return found == null ? null : found.artifact;
    }

    /** Adds a reader to an open file; null if the file is not open. */
    synchronized @Nullable ReadFile open(String id) {
        CacheEntry found = kept.get(id);
        if (found == null) {
            return null;
        }
        found.file.enter();
        found.used = true;
        return found.file;
    }

    /** Opens the file, or adds a reader to the open one. Blocks. */
    ReadFile opened(Artifact artifact) throws IOException {
        ReadFile open = open(artifact.id());
        if (open != null) {
            return open;
        }
        ReadFile file = new ReadFile(artifact.openFile());
        file.enter();
        put(artifact, file);
        // A deletion in the meantime may have come before the file was put here.
        if (!Files.exists(artifact.file(), LinkOption.NOFOLLOW_LINKS)) {
            forget(artifact.id());
        }
        return file;
    }

    private void put(Artifact artifact, ReadFile file) {
        var gone = new ArrayList<CacheEntry>();
        synchronized (this) {
            CacheEntry before = kept.put(artifact.id(), new CacheEntry(artifact, file));
            if (before != null) {
                gone.add(before);
            }
            if (kept.size() > limit) {
                gone.add(kept.pollFirstEntry().getValue());
            }
        }
        gone.forEach(OpenFileCache::close);
    }

    /** Removes the file; present readers can read on. Blocks. */
    void forget(String id) {
        CacheEntry gone;
        synchronized (this) {
            gone = kept.remove(id);
        }
        if (gone != null) {
            close(gone);
        }
    }

    /** Closes files that were not opened since the last call: a deleted file takes up disk space while it is open. Blocks. */
    void closeUnused() {
        var gone = new ArrayList<CacheEntry>();
        synchronized (this) {
            kept.values().removeIf(entry -> {
                boolean unused = !entry.used;
                if (unused) {
                    gone.add(entry);
                }
                entry.used = false;
                return unused;
            });
        }
        gone.forEach(OpenFileCache::close);
    }

    synchronized void closeAll() {
        kept.values().forEach(OpenFileCache::close);
        kept.clear();
    }

    /** For a large deleted file the kernel frees memory here, which takes seconds; so callers must not hold the lock. */
    private static void close(CacheEntry kept) {
        try {
            kept.file.close();
        } catch (IOException e) {
            LOG.warn("Closing artifact {} failed", kept.artifact.id(), e);
        }
    }
}
