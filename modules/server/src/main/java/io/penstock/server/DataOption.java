package io.penstock.server;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names a command's data directory. */
final class DataOption {

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "data directory (default: penstock in your system's folder for application data)")
    private @Nullable Path data;

    Path folder() {
        Path given = data;
        return (given == null ? DataDirectory.defaultPath(System.getenv()) : given)
                .toAbsolutePath()
                .normalize();
    }
}
