package io.penstock.engine.spawn.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Processes that were started with a certain variable in their environment. Children inherit it, so it proves their origin even if they
 * have left their session or outlived its leader; only those that clear their environment escape.
 */
final class TaggedProcesses {

    private TaggedProcesses() {}

    /** Whether a process has this variable in its environment. */
    static boolean hasVariable(long pid, String name, String value) {
        return value.equals(value(pid, name));
    }

    /** The variable's value in the environment of a process, or null. */
    static @Nullable String value(long pid, String name) {
        String environment = environment(pid);
        String mark = "\0" + name + "=";
        int at = environment.indexOf(mark);
        int end = environment.indexOf('\0', at + mark.length());
        return at < 0 || end < 0 ? null : environment.substring(at + mark.length(), end);
    }

    /** Empty for another user's process, and for one that has just ended. */
    private static String environment(long pid) {
        try {
            byte[] variables = Files.readAllBytes(Path.of("/proc/" + pid + "/environ"));
            return "\0" + new String(variables, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
