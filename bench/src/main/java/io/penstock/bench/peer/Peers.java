package io.penstock.bench.peer;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;

/** The files of {@code bench/peers}, found relative to this class: in its module's build folder, or in a jar somewhere in the checkout. */
final class Peers {

    private Peers() {}

    static Path file(Path name) throws IOException {
        try {
            Path built = Path.of(Peers.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return Stream.iterate(built, Objects::nonNull, Path::getParent)
                    .flatMap(folder -> Stream.of(
                            folder.resolve(name), folder.resolve("bench").resolve(name)))
                    .filter(Files::exists)
                    .findFirst()
                    .orElseThrow(() -> new IOException("there is no " + name + " above " + built));
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }
}
