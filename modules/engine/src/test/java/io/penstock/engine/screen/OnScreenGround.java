package io.penstock.engine.screen;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Base of tests with real programs in real terminals; each test has its own ground. */
abstract class OnScreenGround {

    @TempDir
    Path folder;

    ScreenGround ground;

    @BeforeEach
    void start() {
        ground = new ScreenGround(folder);
    }

    @AfterEach
    void stop() {
        ground.close();
    }
}
