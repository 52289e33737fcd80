package io.penstock.engine.spawn.linux;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The processes in /proc. */
final class ProcessTable {
    private static final Path PROC = Path.of("/proc");
    private static final int FIELDS_NEEDED = 22;

    private ProcessTable() {}

    /**
     * One process.
     *
     * @param state one letter: Z is a zombie, which has ended but is not reaped; S sleeps until an event
     * @param terminal the device of its controlling terminal, 0 if it has none
     * @param foreground the foreground process group of that terminal
     * @param cpuTicks time on processors, its own and that of the ended children for which it has waited
     */
    record Row(
            long pid,
            String name,
            char state,
            long parent,
            long group,
            long session,
            long terminal,
            long foreground,
            int threads,
            long startTicks,
            long cpuTicks,
            long residentPages) {

        boolean ended() {
            return state == 'Z' || state == 'X';
        }

        boolean sleeps() {
            return state == 'S';
        }
    }

    static Optional<Row> row(long pid) {
        return row(pid, pid + "/stat");
    }

    /** The row of one thread of a process. */
    static Optional<Row> thread(long pid, String thread) {
        return row(pid, pid + "/task/" + thread + "/stat");
    }

    private static Optional<Row> row(long pid, String file) {
        try {
            return Optional.ofNullable(parse(pid, Files.readAllBytes(PROC.resolve(file))));
        } catch (IOException e) {
            return Optional.empty(); // it has ended
        }
    }

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        String[] names = new File("/proc").list();
        for (String name : names == null ? new String[0] : names) {
            if (Character.isDigit(name.charAt(0))) {
                row(Long.parseLong(name)).ifPresent(rows::add);
            }
        }
        return rows;
    }

    /** The live members of a session. */
    static List<Row> inSession(long session) {
        return rows().stream()
                .filter(row -> row.session() == session && !row.ended())
                .toList();
    }

    static String boot() {
        try {
            return Files.readString(PROC.resolve("sys/kernel/random/boot_id")).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /** The name stands in parentheses and may contain some itself, so the fields after it are located from the last one. */
    private static @Nullable Row parse(long pid, byte[] stat) {
        String line = new String(stat, StandardCharsets.ISO_8859_1);
        int open = line.indexOf('(');
        int close = line.lastIndexOf(')');
        String[] fields = close < 0 ? new String[0] : line.substring(close + 2).split(" ");
        if (fields.length < FIELDS_NEEDED) {
            return null;
        }
        return new Row(
                pid,
                line.substring(open + 1, close),
                fields[0].charAt(0),
                Long.parseLong(fields[1]),
                Long.parseLong(fields[2]),
                Long.parseLong(fields[3]),
                Long.parseLong(fields[4]),
                Long.parseLong(fields[5]),
                Integer.parseInt(fields[17]),
                Long.parseLong(fields[19]),
                Long.parseLong(fields[11])
                        + Long.parseLong(fields[12])
                        + Long.parseLong(fields[13])
                        + Long.parseLong(fields[14]),
                Long.parseLong(fields[21]));
    }
}
