package io.penstock.engine.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.spawn.pty4j.Pty4jSpawner;
import io.penstock.frames.Channel;
import io.penstock.frames.Containment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** pty4j fulfils the contract except for the facts stated here. */
class Pty4jSpawnerTest {
    private static final Spawner SPAWNER = new Pty4jSpawner();

    @Nested
    class Pipes extends PipesContract {
        @Override
        Spawner spawner() {
            return SPAWNER;
        }

        /** A separate thread reads, so the output may arrive a moment later. */
        @Test
        @Override
        void drainNowDeliversAvailableOutputWhilePaused() throws IOException {
            Path mark = folder.resolve("written");
            Observed program = start(
                    shell("read x; echo before; : > " + mark + "; sleep 100").withInput());
            program.on(RunningProcess::pause);
            program.awaitWrite("go\n");
            Eventually.exists(mark);
            Eventually.holds("it was drained", () -> {
                program.on(RunningProcess::drainNow);
                return new String(program.soFar(Channel.STDOUT), StandardCharsets.UTF_8).equals("before\n");
            });
        }

        /**
         * The JVM closes a program's pipes when it exits, except during a read. So later output of its children is read or lost by chance,
         * and the end may wait for them.
         */
        @Test
        @Override
        void outputOfAGrandchildIsReadAfterTheProgramsExit() throws IOException {
            Path go = folder.resolve("go");
            Observed program = start(shell(
                    "(while [ -d " + folder + " -a ! -e " + go + " ]; do sleep 0.01; done; echo late) & echo early"));
            assertEquals(0, program.awaitCode());
            Files.createFile(go);
            String text = program.text(Channel.STDOUT);
            assertTrue(text.equals("early\n") || text.equals("early\nlate\n"), text);
        }

        /** Fewer, as each costs several milliseconds and threads. */
        @Override
        int fastExits() {
            return 100;
        }
    }

    @Nested
    class Terminals extends TerminalContract {
        @Override
        Spawner spawner() {
            return SPAWNER;
        }

        @Override
        int fastExits() {
            return 100;
        }
    }

    @Nested
    class InputWaits extends InputWaitContract {
        @Override
        Spawner spawner() {
            return SPAWNER;
        }
    }

    @Nested
    class Failures extends SpawnFailureContract {
        @Override
        Spawner spawner() {
            return SPAWNER;
        }
    }

    @Nested
    class WhatItCannotDo extends SpawnerTestBed {
        @Override
        Spawner spawner() {
            return SPAWNER;
        }

        @Test
        void deathBySignalLooksLikeAnExit() {
            assertEquals(
                    new ProcessExit.Exited(139), start(shell("kill -SEGV $$")).awaitExit());
            assertEquals(
                    new ProcessExit.Exited(139),
                    start(terminalShell("kill -SEGV $$")).awaitExit());
        }

        @Test
        void orphansAreNotFound() {
            Observed program = start(shell("sleep 3 >/dev/null 2>&1 & exit 0"));
            program.awaitExit();
            assertEquals(Containment.DESCENDANTS, program.process.containment());
            assertTrue(program.process.survivors().isEmpty());
        }

        @Test
        void childrenAreFoundAndKilledWhileTheirParentLives() {
            Observed program = start(shell("sleep 100 & sleep 100 & echo up; wait"));
            program.awaitText(Channel.STDOUT, "up");
            Eventually.holds("both live", () -> program.process.survivors().size() == 2);
            program.process.killAll();
            assertEquals(137, program.awaitCode());
            program.text(Channel.STDOUT);
        }
    }
}
