package io.penstock.engine.spawn.linux;

import io.penstock.engine.spawn.Survivor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Processes that were started with a certain variable in their environment. Children inherit it, so it proves where they come from
 * also when they have left their session or outlived its leader; only those that clear their environment escape.
 */
public final class Marked {

    private Marked() {}

    /** Kills them all, those too that they start meanwhile; answers those that would not go. */
    public static List<Survivor> end(String name, String value) {
        String mark = mark(name, value);
        if (alive(mark).isEmpty()) {
            return List.of(); // nearly always, and each look goes over all processes of the machine
        }
        return Pursuit.of(found -> alive(mark).forEach(found)).stream()
                .map(row -> new Survivor(row.pid(), row.name()))
                .toList();
    }

    /** Whether a process has it in its environment. */
    static boolean is(long pid, String name, String value) {
        return environment(pid).contains(mark(name, value));
    }

    private static List<ProcessTable.Row> alive(String mark) {
        return ProcessTable.rows().stream()
                .filter(row -> !row.ended() && environment(row.pid()).contains(mark))
                .toList();
    }

    private static String mark(String name, String value) {
        return "\0" + name + "=" + value + "\0";
    }

    /** Empty for another user's, and for one that has just ended. */
    private static String environment(long pid) {
        try {
            byte[] variables = Files.readAllBytes(Path.of("/proc/" + pid + "/environ"));
            return "\0" + new String(variables, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
