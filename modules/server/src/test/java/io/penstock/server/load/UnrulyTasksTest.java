package io.penstock.server.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ServerProcess;
import io.penstock.server.TaskClient;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Budgets stop a fork bomb, a flood and an endless program completely; and the task next to them loses nothing and
 * hears what is typed.
 */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("alone")
class UnrulyTasksTest {

    /** Bounded: some 250 processes at once, and none of them two minutes after its start, even if no one ends them. */
    private static final String BOMB = """
            trap '' TERM HUP INT
            # From process to process, faster than anybody can look them up, and now and then into another session.
            hop() {
              [ $EPOCHSECONDS -lt $UNTIL ] || exit
              if [ $1 -eq 0 ]; then exec setsid "$BASH" bomb.sh hop; fi
              hop $(($1 - 1)) &
            }
            # Many that do nothing but ignore what they are told, half of them in sessions of their own.
            tree() {
              if [ $1 -gt 0 ]; then tree $(($1 - 1)) & tree $(($1 - 1)) & fi
              if [ $(($1 % 2)) -eq 0 ]; then exec setsid sleep 100; else exec sleep 100; fi
            }
            case $1 in
              hop) hop 100;;
              all) export UNTIL=$((EPOCHSECONDS + 40))
                   tree 6 &
                   for i in {1..24}; do hop 100 & done
                   echo begun
                   exec sleep 100;;
            esac
            """;

    /** Prints a line every 20 ms until it is stopped, and echoes its input. */
    private static final String NEIGHBOUR = """
            stty -echo; exec 3<> <(:)
            (n=0; until [ -e enough ]; do n=$((n + 1)); echo line $n; read -t 0.02 -u 3; done; echo last $n) &
            while read -r word && [ $word != end ]; do echo heard $word; done
            wait""";

    private static final String RULES = """
            rules:
              - {name: bombs, when: 'args.command.contains("bomb.sh")', verdict: allow, budgets: {time: 2s}}
              - {name: floods, when: 'args.command.contains("yes")', verdict: allow, budgets: {output: 64MiB}}
              - {name: talkers, when: 'args.command.contains("chatter")', verdict: allow, budgets: {events: 200}}
              - {name: sleepers, when: 'args.command.contains("sleep")', verdict: allow, budgets: {time: 1s}}
            """;

    private final Path folder = ServerProcess.folder();

    private ServerProcess server;
    private TaskClient client;
    private int neighbours;

    @BeforeAll
    void start() throws IOException {
        Files.writeString(folder.resolve("bomb.sh"), BOMB);
        Path rules = Files.writeString(folder.resolve("rules.yaml"), RULES);
        server = ServerProcess.ready(
                folder.resolve("data"),
                "--port",
                "0",
                "--auth",
                "off",
                "--workspace",
                folder.toString(),
                "--profile",
                "full-auto",
                "--policy",
                rules.toString());
        client = new TaskClient(server);
    }

    @AfterAll
    void stop() {
        client.close();
        server.close();
        ServerProcess.delete(folder);
    }

    @Test
    void aForkBombIsEndedToTheLastOfItsProcesses() throws Exception {
        beside(() -> {
            String bomb = client.spawn(TaskClient.bash("bash bomb.sh all"));
            client.untilShown(bomb, "begun");
            while (Marks.of(bomb).size() <= 20) {
                assertEquals("running", client.status(bomb).getString("status"), "it was none");
            }
            assertStopped(bomb, "timeout", "timed_out");
            return bomb;
        });
    }

    @Test
    void aFloodIsEndedAtItsBudget() throws Exception {
        beside(() -> {
            String flood = client.spawn(TaskClient.bash("trap '' TERM; yes & yes >&2 & wait; wait"));
            assertStopped(flood, "budget", "cancelled");
            return flood;
        });
    }

    @Test
    void oneThatTalksWithoutEndIsEndedAtItsBudget() throws Exception {
        beside(() -> {
            String talker = client.spawn(TaskClient.bash("# chatter\nwhile :; do echo x; read -t 0.002 <> <(:); done"));
            assertStopped(talker, "budget", "cancelled");
            return talker;
        });
    }

    @Test
    void oneThatSleepsForEverIsEndedWhenItsTimeIsUp() throws Exception {
        beside(() -> {
            String sleeper = client.spawn(TaskClient.bash("(setsid sleep infinity &) ; sleep infinity"));
            assertStopped(sleeper, "timeout", "timed_out");
            return sleeper;
        });
    }

    private interface Unruly {
        /** Returns the task when it has ended. */
        String task() throws Exception;
    }

    private void assertStopped(String task, String cause, String outcome) {
        JsonObject status = client.ended(task);
        List<JsonObject> events = client.events(task, Math.max(0, status.getLong("next_seq") - 50));
        assertEquals(outcome, status.getString("outcome"), status::encode);
        assertEquals(
                List.of(cause),
                TaskClient.ofType(events, "tool_task_cancel_requested").stream()
                        .map(stop -> stop.getString("cause"))
                        .toList());
        assertTrue(
                TaskClient.ofType(events, "task_notice").stream()
                        .noneMatch(notice -> "still_alive".equals(notice.getString("code"))),
                events::toString);
        assertEquals(List.of(), Marks.of(task));
    }

    /**
     * While a neighbour prints, reads input, and starts small tasks: none of it is lost.
     */
    private void beside(Unruly unruly) throws Exception {
        String enough = "enough" + neighbours++;
        String neighbour = client.spawn(TaskClient.terminal(NEIGHBOUR.replace("enough", enough)));
        client.untilShown(neighbour, "line 3");
        var ended = CompletableFuture.supplyAsync(() -> {
            try {
                return unruly.task();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        int words = 0;
        while (!ended.isDone() || words < 10) {
            long seq = client.status(neighbour).getLong("next_seq");
            assertEquals(202, client.type(neighbour, "word" + words + "\n").statusCode());
            client.untilShown(neighbour, seq, "heard word" + words++);
        }
        String task = ended.get();
        Files.createFile(folder.resolve(enough));
        client.type(neighbour, "end\n");
        assertEquals("succeeded", client.ended(neighbour).getString("outcome"));
        List<String> lines = lines(neighbour);
        List<String> said =
                lines.stream().filter(line -> line.startsWith("line ")).toList();
        assertEquals("last " + said.size(), lines.getLast());
        assertEquals(
                IntStream.rangeClosed(1, said.size()).mapToObj(n -> "line " + n).toList(), said);
        assertEquals(
                IntStream.range(0, words).mapToObj(n -> "heard word" + n).toList(),
                lines.stream().filter(line -> line.startsWith("heard ")).toList());
        assertEquals(List.of(), Marks.of(task));
    }

    private List<String> lines(String task) {
        return new String(client.artifact(task + ".pty", "bytes=0-"), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }

    /** Processes that have a task's mark in their environment. */
    private static final class Marks {

        static List<String> of(String task) {
            String mark = "\0PENSTOCK_TASK_ID=" + task + "\0";
            try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
                return processes
                        .filter(process -> Character.isDigit(
                                process.getFileName().toString().charAt(0)))
                        .filter(process -> ("\0" + read(process.resolve("environ"))).contains(mark))
                        .map(process -> process.getFileName() + " " + read(process.resolve("cmdline")))
                        .toList();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        private static String read(Path file) {
            try {
                return Files.readString(file, StandardCharsets.ISO_8859_1);
            } catch (IOException e) {
                return ""; // it has ended
            }
        }
    }
}
