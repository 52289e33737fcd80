package io.penstock.sample;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.sample.AgentProgram.Answered;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A conversation outlives its program. */
class ConversationTest {

    @TempDir
    Path cwd = Path.of("");

    private Path folder() {
        return cwd.resolve(".penstock/agents");
    }

    @Test
    void anotherProgramLoadsItAndSendsAllOfItAgain() {
        String id;
        try (AgentProgram first = AgentProgram.ready(cwd)) {
            id = first.conversation();
            assertEquals("No prompts before.", first.prompt("/history").said());
            first.prompt("remember", "/think of it", "/tool look at it");
            first.kill();
        }
        try (var second = new AgentProgram(cwd)) {
            second.initialize(true);
            Answered loaded = second.load(id);
            assertEquals("/historyremember\n/think of it\n/tool look at it", loaded.said("user_message_chunk"));
            assertEquals("No prompts before.You said: remember", loaded.said());
            assertEquals("of it", loaded.said("agent_thought_chunk"));
            assertEquals(1, loaded.updates("tool_call").size());
            assertEquals(2, loaded.updates("tool_call_update").size());
            Answered next = second.prompt("/history", "/tool look");
            assertEquals("2 prompts before; the last: remember /think of it /tool look at it", next.said());
            assertEquals("call-3-1", next.updates("tool_call").getFirst().get("toolCallId"));
        }
    }

    @Test
    void whatAKilledProgramWasWritingIsCutOff() throws IOException {
        String id;
        try (AgentProgram first = AgentProgram.ready(cwd)) {
            id = first.conversation();
            first.prompt("one");
        }
        Files.writeString(folder().resolve(id + ".jsonl"), "{\"sessionUpd", StandardOpenOption.APPEND);
        try (var second = new AgentProgram(cwd)) {
            second.initialize(true);
            assertEquals("You said: one", second.load(id).said());
            second.prompt("two");
            assertEquals("You said: oneYou said: two", second.load(id).said());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sample-0123456789abcdef", "../secret", "/etc/passwd", "sample-0123456789abcdeg", "\0", ""})
    void aConversationThatIsNotThereIsAnError(String id) throws IOException {
        Files.createDirectories(folder());
        Files.writeString(cwd.resolve(".penstock/secret.jsonl"), "{}\n");
        try (var agent = new AgentProgram(cwd)) {
            agent.initialize(true);
            assertEquals(Refused.RESOURCE_NOT_FOUND, agent.load(id).errorCode());
        }
    }

    @Test
    void itsFileIsForItsOwnerAloneAndInTheFolderThatIsNamed() throws IOException {
        Path named = cwd.resolve("kept here");
        try (AgentProgram agent = AgentProgram.ready(cwd, "--sessions", named.toString())) {
            Path file = named.resolve(agent.conversation() + ".jsonl");
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(named)));
        }
    }

    @Test
    void aFullOneTakesNoMorePrompts() throws IOException {
        try (AgentProgram agent = AgentProgram.ready(cwd)) {
            String much = "x".repeat(Conversation.FILE_BYTES);
            assertEquals("end_turn", agent.prompt(much).stopReason());
            assertEquals("max_tokens", agent.prompt("more").stopReason());
            long bytes = Files.size(folder().resolve(agent.conversation() + ".jsonl"));
            assertTrue(bytes < Conversation.FILE_BYTES + 200, () -> bytes + " bytes");
        }
    }

    @Test
    void theOldestIsDeletedWhenThereAreTooMany() throws IOException {
        Files.createDirectories(folder());
        for (int i = 0; i < Conversations.FILES; i++) {
            Path file = Files.createFile(folder().resolve("sample-%016x.jsonl".formatted(i)));
            Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000L + i));
        }
        try (AgentProgram agent = AgentProgram.ready(cwd);
                var files = Files.list(folder())) {
            List<Path> kept = files.toList();
            assertEquals(Conversations.FILES, kept.size());
            assertTrue(kept.contains(folder().resolve(agent.conversation() + ".jsonl")));
            assertTrue(!kept.contains(folder().resolve("sample-%016x.jsonl".formatted(0))));
        }
    }
}
