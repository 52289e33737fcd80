package io.penstock.engine.screen;

import io.penstock.testbed.TestBed;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Base of tests with real programs in real terminals; each test has its own ground. */
@ExtendWith(VertxExtension.class)
abstract class OnScreenGround {

    @TempDir
    Path folder;

    ScreenGround ground;

    @BeforeEach
    void start(TestBed bed) {
        ground = bed.add(new ScreenGround(folder));
    }
}
