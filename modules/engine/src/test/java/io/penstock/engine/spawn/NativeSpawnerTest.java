package io.penstock.engine.spawn;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.engine.spawn.epoll.NativeSpawner;
import io.penstock.engine.spawn.linux.Cgroups;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The native spawner fulfils the whole contract. */
class NativeSpawnerTest {
    private static final Spawner SPAWNER = new NativeSpawner(Optional.empty());

    @Nested
    class Pipes extends PipesContract {
        @Override
        Spawner spawner() {
            return SPAWNER;
        }
    }

    @Nested
    class Terminals extends TerminalContract {
        @Override
        Spawner spawner() {
            return SPAWNER;
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
    class ContainedByAdoption extends ContainmentContract {
        @Override
        Spawner spawner() {
            return SPAWNER;
        }
    }

    @Nested
    class ContainedBySession extends ContainmentContract {
        @Override
        Spawner spawner() {
            return new NativeSpawner(Optional.empty(), Optional.empty());
        }
    }

    @Nested
    class ContainedByCgroup extends ContainmentContract {
        private static Optional<Cgroups> cgroups = Optional.empty();

        @BeforeAll
        static void needsCgroups() {
            cgroups = Cgroups.open();
            assumeTrue(cgroups.isPresent(), "this machine has no cgroup2 that may be written to");
        }

        @AfterAll
        static void giveUpCgroups() {
            cgroups.ifPresent(Cgroups::close);
        }

        @Override
        Spawner spawner() {
            return new NativeSpawner(cgroups);
        }
    }
}
