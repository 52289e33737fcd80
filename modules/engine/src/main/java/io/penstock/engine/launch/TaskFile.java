package io.penstock.engine.launch;

import io.penstock.engine.spawn.ProcessIdentity;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The content of a task's file: a line of fixed length for its program, then its request if that is kept. The line is written in place by one
 * call, so that a server that dies meanwhile leaves the request whole. Files of earlier servers have a program or a request only.
 */
final class TaskFile {

    /** Two numbers of at most 18 digits, the 36 characters of the boot's id, and the characters between. */
    private static final int PROGRAM_BYTES = 80;

    private static final FileAttribute<Set<PosixFilePermission>> OWNER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private TaskFile() {}

    /** Creates the file, which must not exist. Only this server's user may read it: requests have values of environment variables. */
    static FileChannel create(Path file) throws IOException {
        return FileChannel.open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OWNER);
    }

    /** The content for a task whose program is not known. */
    static ByteBuffer of(QueuedSpawn spawn) {
        String line = line("");
        return StandardCharsets.UTF_8.encode(line + spawn.toJson().encode());
    }

    private static String line(String program) {
        return program + " ".repeat(Math.max(0, PROGRAM_BYTES - 1 - program.length())) + "\n";
    }

    static void write(FileChannel file, ByteBuffer content) throws IOException {
        while (content.hasRemaining()) {
            file.write(content);
        }
    }

    /** @param keepsRequest whether the request, if the file has one, stays there */
    static void setProgram(Path file, ProcessIdentity program, boolean keepsRequest) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            String line = line(program.toString());
            channel.write(StandardCharsets.ISO_8859_1.encode(line), 0);
            if (!keepsRequest) {
                channel.truncate(line.length());
            }
        }
    }

    /** Null if the program was not started, or if a power cut took the content of the file. */
    static @Nullable ProcessIdentity program(String content) {
        try {
            return ProcessIdentity.parse(content.lines().findFirst().orElse("").strip());
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Null if the file has no request. Throws a {@code RuntimeException} if it has a damaged one. */
    static @Nullable QueuedSpawn request(String content) {
        int start = content.indexOf('{');
        return start < 0 ? null : QueuedSpawn.read(new JsonObject(content.substring(start)));
    }
}
