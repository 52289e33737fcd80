package io.penstock.server.request;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.frames.Failure;
import io.penstock.frames.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The tool of a spawn: a command for a shell, or a program with its arguments as they are. */
enum Tool {
    /** Without start files: bash reads ~/.bashrc also for a command, where its environment looks like that of a remote login. */
    BASH(List.of("/bin/bash", "--norc", "--noprofile", "-c")),
    /** A shell of this name reads no start file for a command. */
    SHELL(List.of("/bin/sh", "-c")),
    EXEC(null);

    private final @Nullable List<String> shell;

    Tool(@Nullable List<String> shell) {
        this.shell = shell;
    }

    static Tool named(String name) {
        return Arrays.stream(values())
                .filter(tool -> tool.wireName().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        RequestFields.wrong("There is no tool \"" + RequestFields.shown(name) + "\"; the tools are "
                                + Arrays.stream(values()).map(Tool::wireName).collect(Collectors.joining(", "))));
    }

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The field that a request lacks, with an example. */
    String needs() {
        return shell == null
                ? "an argv, such as {\"argv\": [\"ls\", \"-l\"]}"
                : "a command, such as {\"command\": \"ls\"}";
    }

    /** The program and its arguments. */
    List<String> program(RequestFields args) {
        if (shell == null) {
            return argv(args);
        }
        refuse(args, "argv", "the tool exec");
        String command = args.text("command", Limits.ARGS_BYTES);
        if (command.isBlank()) {
            throw RequestFields.wrong("args.command is empty; give what the shell is to run, such as \"ls\"");
        }
        var program = new ArrayList<>(shell);
        program.add(RequestFields.withoutNul(command, "args.command"));
        return program;
    }

    private List<String> argv(RequestFields args) {
        refuse(args, "command", "the tools bash and shell");
        JsonNode words = args.object().get("argv");
        if (words == null || !words.isArray() || words.isEmpty()) {
            throw wrongArgv();
        }
        var argv = new ArrayList<String>(words.size());
        for (JsonNode word : words) {
            if (!word.isTextual()) {
                throw wrongArgv();
            }
            argv.add(RequestFields.withoutNul(word.textValue(), "args.argv"));
        }
        if (argv.getFirst().isBlank()) {
            throw wrongArgv();
        }
        return argv;
    }

    private static Failure wrongArgv() {
        return RequestFields.wrong("args.argv must be a list of strings, the program first, such as [\"ls\", \"-l\"]");
    }

    private void refuse(RequestFields args, String name, String owner) {
        if (args.object().hasNonNull(name)) {
            throw RequestFields.wrong("args." + name + " is for " + owner + "; " + wireName() + " needs " + needs());
        }
    }
}
