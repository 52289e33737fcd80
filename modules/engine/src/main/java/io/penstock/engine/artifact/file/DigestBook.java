package io.penstock.engine.artifact.file;

import io.penstock.frames.Limits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Maps digests to sealed artifacts: a line of fixed length for each, appended to one of 256 files, because a separate file for each would
 * double the cost of a seal. Lines of deleted artifacts stay until they are most of a file, so a lookup checks each match.
 */
public final class DigestBook {

    private static final int DIGEST_BYTES = 32;
    private static final int LINE_BYTES = DIGEST_BYTES + Limits.ARTIFACT_ID_CHARS;
    private static final int LINES_AT_ONCE = 256;

    private final ArtifactFiles files;

    public DigestBook(ArtifactFiles files) {
        this.files = files;
    }

    public synchronized void add(byte[] digest, String artifactId) throws IOException {
        byte[] line = new byte[LINE_BYTES];
        Arrays.fill(line, (byte) ' ');
        System.arraycopy(digest, 0, line, 0, DIGEST_BYTES);
        byte[] id = artifactId.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(id, 0, line, DIGEST_BYTES, id.length);
        try (FileChannel channel = ArtifactFiles.openOrCreate(file(digest))) {
            // Overwrites a line that a crash has torn.
            ArtifactFiles.write(channel, channel.size() / LINE_BYTES * LINE_BYTES, ByteBuffer.wrap(line));
        }
    }

    /** The latest artifact with this digest that passes the check. */
    public @Nullable String find(byte[] digest, Predicate<String> holds) throws IOException {
        byte[] lines = new byte[LINES_AT_ONCE * LINE_BYTES];
        try (FileChannel channel = ArtifactFiles.openToRead(file(digest))) {
            for (long end = channel.size() / LINE_BYTES; end > 0; ) {
                int count = (int) Math.min(LINES_AT_ONCE, end);
                end -= count;
                int there = ArtifactFiles.read(channel, end * LINE_BYTES, lines, count * LINE_BYTES) / LINE_BYTES;
                for (int line = there - 1; line >= 0; line--) {
                    int at = line * LINE_BYTES;
                    if (Arrays.equals(lines, at, at + DIGEST_BYTES, digest, 0, DIGEST_BYTES)
                            && holds.test(id(lines, at))) {
                        return id(lines, at);
                    }
                }
            }
            return null;
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** Rewrites files whose lines mostly fail the check. */
    public void clear(Predicate<String> holds) throws IOException {
        byte[] digest = new byte[DIGEST_BYTES];
        for (int first = 0; first < 256; first++) {
            digest[0] = (byte) first;
            clear(file(digest), holds);
        }
    }

    // One lock per file, so that an addition waits for one of 256 files only.
    private synchronized void clear(Path file, Predicate<String> holds) throws IOException {
        Path anew = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(anew);
        long kept = 0;
        long count;
        byte[] line = new byte[LINE_BYTES];
        try (FileChannel from = ArtifactFiles.openToRead(file);
                FileChannel to = ArtifactFiles.openOrCreate(anew)) {
            count = from.size() / LINE_BYTES;
            for (long at = 0; at < count; at++) {
                if (ArtifactFiles.read(from, at * LINE_BYTES, line, LINE_BYTES) == LINE_BYTES
                        && holds.test(id(line, 0))) {
                    ArtifactFiles.write(to, kept++ * LINE_BYTES, ByteBuffer.wrap(line));
                }
            }
        } catch (NoSuchFileException e) {
            return;
        }
        if (kept <= count / 2) {
            Files.move(anew, file, StandardCopyOption.ATOMIC_MOVE);
        } else {
            Files.delete(anew);
        }
    }

    private static String id(byte[] lines, int at) {
        return new String(lines, at + DIGEST_BYTES, LINE_BYTES - DIGEST_BYTES, StandardCharsets.US_ASCII)
                .stripTrailing();
    }

    private Path file(byte[] digest) {
        return files.digests(HexFormat.of().toHexDigits(digest[0]));
    }
}
