package io.penstock.engine.spawn;

import io.penstock.engine.spawn.epoll.NativeSpawner;
import java.util.Optional;
import org.junit.jupiter.api.Nested;

/** The native spawner keeps all of the contract. */
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
    class Failures extends SpawnFailureContract {
        @Override
        Spawner spawner() {
            return SPAWNER;
        }
    }
}
