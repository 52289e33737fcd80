package io.penstock.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The folder of the conversations, a file for each, and those that this program has open. */
final class Conversations {

    /** The oldest are deleted: together, they take a GiB at most. */
    static final int FILES = 1000;

    /** An id is also a file name, so no other is looked for. */
    private static final Pattern ID = Pattern.compile("sample-[0-9a-f]{16}");

    private static final String SUFFIX = ".jsonl";

    private final Path folder;
    private final Map<String, Conversation> open = new ConcurrentHashMap<>();

    Conversations(Path folder) {
        this.folder = folder;
    }

    /** The conversation, if it is open. */
    @Nullable
    Conversation open(String id) {
        return open.get(id);
    }

    /** Begins a conversation. */
    Conversation create(Path cwd) throws IOException {
        Files.createDirectories(
                folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        deleteOldest();
        // Unique is enough, and the library for secrets takes a tenth of the start.
        String id = "sample-"
                + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        Files.createFile(file(id), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        var conversation = new Conversation(id, file(id), cwd);
        open.put(id, conversation);
        return conversation;
    }

    /** Opens a conversation of this or an earlier program, and sends it to the client. */
    Conversation load(String id, Path cwd, Client client) throws Refused, IOException {
        if (!ID.matcher(id).matches() || !Files.isRegularFile(file(id))) {
            throw new Refused(Refused.RESOURCE_NOT_FOUND, "There is no conversation \"" + shown(id) + "\"");
        }
        var conversation = new Conversation(id, file(id), cwd);
        conversation.replay(client);
        open.put(id, conversation);
        return conversation;
    }

    private static String shown(String id) {
        return id.length() <= 100 ? id : id.substring(0, 100) + "…";
    }

    private Path file(String id) {
        return folder.resolve(id + SUFFIX);
    }

    private record Kept(Path file, long changedAtMs) {}

    private void deleteOldest() throws IOException {
        List<Kept> kept = new ArrayList<>();
        try (var files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            for (Path file : files) {
                try {
                    kept.add(new Kept(file, Files.getLastModifiedTime(file).toMillis()));
                } catch (NoSuchFileException e) {
                    continue; // deleted by another program meanwhile
                }
            }
        }
        kept.sort(Comparator.comparingLong(Kept::changedAtMs));
        for (Kept old : kept.subList(0, Math.max(0, kept.size() - FILES + 1))) {
            Files.deleteIfExists(old.file());
        }
    }
}
