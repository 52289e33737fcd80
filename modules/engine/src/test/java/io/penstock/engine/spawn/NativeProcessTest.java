package io.penstock.engine.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.spawn.epoll.NativeSpawner;
import io.penstock.engine.spawn.linux.OrphanSession;
import io.penstock.frames.Channel;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Facts that hold only for the native spawner. */
class NativeProcessTest extends SpawnerTestBed {
    private final Spawner spawner = new NativeSpawner(Optional.empty());

    @Override
    Spawner spawner() {
        return spawner;
    }

    @Test
    void backspaceErasesAWholeCharacter() {
        Observed program = start(terminal("cat"));
        program.awaitWrite("a€\u007fb\n");
        assertTrue(program.awaitText(Channel.PTY, "\r\nab\r\n").endsWith("ab\r\n"));
    }

    @Test
    void lineTooLongForTheTerminalDoesNotHangTheWriter() {
        // Without a line end the kernel keeps 4095 bytes and drops the rest.
        Observed program = start(terminalShell("stty -echo; echo ready; sleep 100"));
        program.awaitText(Channel.PTY, "ready");
        String part = "x".repeat(8192);
        for (int i = 0; i < 40; i++) {
            for (int unawaited = 0; unawaited < 7; unawaited++) {
                program.write(part);
            }
            program.awaitWrite(part);
        }
    }

    @Test
    void slowReaderOfATerminalGetsAllInput() {
        Observed program = start(terminalShell("stty raw -echo; echo ready; head -c 200000 | (sleep 0.3; sha256sum)"));
        program.awaitText(Channel.PTY, "ready");
        StringBuilder input = new StringBuilder();
        for (int i = 0; i < 25; i++) {
            String part = Integer.toString(i % 10).repeat(8000);
            input.append(part);
            program.awaitWrite(part);
        }
        program.awaitText(Channel.PTY, sha256(input.toString().getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void hundredMegabytesWithPausesAreWhole() throws Exception {
        long bytes = 100_000_000;
        var request = shell("seq 1 100000000 | head -c " + bytes + " | tee /dev/stderr | sha256sum > sum");
        var sum = MessageDigest.getInstance("SHA-256");
        var end = new CompletableFuture<Long>();
        var context = vertx.getOrCreateContext();
        var exited = new CompletableFuture<ProcessExit>();
        RunningProcess process = spawner.spawn(request);
        var listener = new RunningProcess.Listener() {
            long count;
            int calls;

            @Override
            public void output(Channel channel, ByteBuffer part) {
                assertTrue(part.remaining() <= 64 * 1024);
                count += part.remaining();
                sum.update(part);
                if (++calls % 100 == 0) {
                    process.pause();
                    context.runOnContext(later -> context.runOnContext(resumed -> process.resume()));
                }
            }

            @Override
            public void closed(Channel channel) {
                if (channel == Channel.STDERR) {
                    end.complete(count);
                }
            }

            @Override
            public void exited(ProcessExit exit) {
                exited.complete(exit);
            }
        };
        context.runOnContext(here -> process.attach(context, listener));
        assertEquals(bytes, end.get(30, TimeUnit.SECONDS));
        exited.get(30, TimeUnit.SECONDS);
        context.runOnContext(here -> process.close());
        String expected = Files.readString(folder.resolve("sum"));
        assertTrue(expected.startsWith(HexFormat.of().formatHex(sum.digest())), expected);
    }

    @Test
    void nestedReadDoesNotOverwriteTheListenersBytes() throws Exception {
        // Each output of one program causes a read of the other, within the call, on the same loop.
        var context = vertx.getOrCreateContext();
        Observed other = start(shell("yes other | head -c 3000000"), context);
        var wrong = new CompletableFuture<String>();
        RunningProcess process = spawner.spawn(shell("yes first | head -c 3000000"));
        var done = new CompletableFuture<Long>();
        context.runOnContext(here -> process.attach(context, new RunningProcess.Listener() {
            private long count;

            @Override
            public void output(Channel channel, ByteBuffer bytes) {
                byte[] before = new byte[bytes.remaining()];
                bytes.get(0, before);
                other.process.drainNow();
                byte[] after = new byte[bytes.remaining()];
                bytes.get(0, after);
                if (!Arrays.equals(before, after)) {
                    wrong.complete(new String(after, StandardCharsets.US_ASCII));
                }
                count += bytes.remaining();
            }

            @Override
            public void closed(Channel channel) {
                if (channel == Channel.STDOUT) {
                    done.complete(count);
                }
            }

            @Override
            public void exited(ProcessExit exit) {}
        }));
        assertEquals(3_000_000, done.get(20, TimeUnit.SECONDS));
        assertFalse(wrong.isDone());
        assertEquals("other\n".repeat(500_000), other.text(Channel.STDOUT));
        context.runOnContext(here -> process.close());
    }

    @Test
    void loudProgramSharesTheLoopWithAQuietOne() {
        var context = vertx.getOrCreateContext();
        Observed quiet = start(terminal("cat"), context);
        try {
            RunningProcess loud = spawner.spawn(shell("exec cat /dev/zero"));
            quiet.ask(() -> {
                loud.attach(context, new IgnoringListener());
                return true;
            });
            for (int i = 0; i < 100; i++) {
                quiet.awaitWrite("key " + i + "\n");
                quiet.awaitText(Channel.PTY, "key " + i + "\r\nkey " + i + "\r\n");
            }
            loud.killAll();
            quiet.ask(() -> {
                loud.close();
                return true;
            });
        } catch (SpawnFailure e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void orphanSessionIsKilledAndAStrangerIsNot() throws Exception {
        Observed program = start(shell("sleep 100 & sleep 100"));
        ProcessIdentity identity = program.process.identity();
        var stranger = new ProcessIdentity(identity.pid(), identity.startTicks() + 1, identity.boot());
        assertEquals(Map.of(), OrphanSession.killAll(List.of(new OrphanSession("stranger", stranger))));
        var otherBoot = new ProcessIdentity(identity.pid(), identity.startTicks(), "0-0");
        assertEquals(Map.of(), OrphanSession.killAll(List.of(new OrphanSession("other-boot", otherBoot))));
        assertFalse(program.exit.isDone());
        var left = new OrphanSession("task", ProcessIdentity.parse(identity.toString()));
        assertEquals(Map.of(), OrphanSession.killAll(List.of(left)));
        assertEquals(new ProcessExit.Killed(9), program.awaitExit());
        program.text(Channel.STDOUT);
        assertEquals(Map.of(), OrphanSession.killAll(List.of(left)));
    }

    @Test
    void scriptWithoutInterpreterIsRefused() throws Exception {
        Path script = Files.writeString(folder.resolve("script"), "echo hello\n");
        assertTrue(script.toFile().setExecutable(true));
        var failure = assertThrows(SpawnFailure.class, () -> spawner.spawn(pipes(script.toString())));
        assertEquals(SpawnFailure.Reason.UNKNOWN_FORMAT, failure.reason());
        assertEquals(
                "cannot execute " + script + ": neither a program for this machine nor a script with a #! line",
                failure.getMessage());
    }

    @Test
    void tooLongArgumentsAreRefusedWithTheirLength() {
        var failure = assertThrows(SpawnFailure.class, () -> spawner.spawn(pipes("echo", "x".repeat(200_000))));
        assertEquals(SpawnFailure.Reason.TOO_LONG, failure.reason());
        assertTrue(String.valueOf(failure.getMessage()).contains("have 200"), failure.getMessage());
    }

    @Test
    void neverAttachedProcessIsKilledAndReaped() throws Exception {
        RunningProcess process = spawner.spawn(terminal("sleep", "100"));
        long pid = process.identity().pid();
        process.close();
        Eventually.holds("it has ended and is no zombie", () -> !Files.exists(Path.of("/proc/" + pid)));
    }

    @Test
    void loopWithoutEpollIsRefused() throws Exception {
        Vertx nio = Vertx.vertx();
        RunningProcess process = spawner.spawn(shell("sleep 100"));
        var refused = new CompletableFuture<String>();
        var context = nio.getOrCreateContext();
        context.runOnContext(here -> {
            var e = assertThrows(IllegalStateException.class, () -> process.attach(context, new IgnoringListener()));
            refused.complete(String.valueOf(e.getMessage()));
        });
        assertTrue(refused.get(20, TimeUnit.SECONDS).contains("setPreferNativeTransport(true)"));
        process.close();
        nio.close().await();
    }

    @Test
    void processesOfTheJvmKeepTheirExitCodes() throws Exception {
        Process jvms = new ProcessBuilder("sh", "-c", "sleep 0.2; exit 42").start();
        for (int i = 0; i < 50; i++) {
            start(shell("exit 1")).finish();
        }
        assertEquals(42, jvms.waitFor());
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
