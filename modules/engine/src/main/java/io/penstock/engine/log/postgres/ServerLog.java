package io.penstock.engine.log.postgres;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** The output of Postgres: the current file and the previous one, so that it cannot fill the disk. */
final class ServerLog {

    /** Enough for years of a quiet server, and to diagnose a noisy one. */
    static final long BYTES = 8L * 1024 * 1024;

    private static final int TAIL_BYTES = 16 * 1024;
    private static final int TAIL_LINES = 6;

    private final Path file;
    private final long bytes;
    private long begin;

    ServerLog(Path file, long bytes) throws IOException {
        this.file = file;
        this.bytes = bytes;
        if (Files.notExists(file)) {
            Files.createFile(file, Directories.OWNER_FILE);
        }
        Directories.close(file);
        keepBounded();
        begin = Files.size(file);
    }

    Path file() {
        return file;
    }

    ProcessBuilder.Redirect redirect() {
        return ProcessBuilder.Redirect.appendTo(file.toFile());
    }

    /**
     * Copies and then truncates, since Postgres keeps the file open (in append mode, so it continues at the new end). A
     * pipe that Penstock reads would lose Postgres' output after Penstock was killed, and would block Postgres while
     * Penstock is suspended.
     */
    synchronized void keepBounded() throws IOException {
        if (!Files.exists(file) || Files.size(file) <= bytes) {
            return;
        }
        Files.copy(file, file.resolveSibling(file.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
        begin = 0;
    }

    /** The last lines of this start, which contain its complaints, if any. */
    synchronized String tail() {
        try (var in = new RandomAccessFile(file.toFile(), "r")) {
            long from = Math.max(begin, in.length() - TAIL_BYTES);
            byte[] end = new byte[(int) Math.max(0, in.length() - from)];
            in.seek(from);
            in.readFully(end);
            List<String> lines = new String(end, StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .toList();
            List<String> complaints =
                    lines.stream().filter(ServerLog::complains).toList();
            List<String> chosen = complaints.isEmpty() ? lines : complaints;
            return String.join(" / ", chosen.subList(Math.max(0, chosen.size() - TAIL_LINES), chosen.size()));
        } catch (IOException e) {
            return "(its log cannot be read)";
        }
    }

    private static boolean complains(String line) {
        return line.contains("FATAL:") || line.contains("PANIC:") || line.contains("HINT:") || line.contains("DETAIL:");
    }
}
