package io.penstock.engine.pump;

import static io.penstock.testbed.Await.await;

import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.log.store.MemoryFrameLog;
import io.penstock.frames.Failure;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The death of a server at one moment: its frames and files are copied, as {@code kill -9} would leave them, and its programs live on. The
 * copied server must not be stopped before the next one has ended its programs.
 */
final class Death {

    private final Path files;
    private final Map<StreamId, List<Frame>> frames = new HashMap<>();

    /** Reads the frames first: files may be ahead of them, and never behind. */
    Death(FrameLog log, Path data, StreamId... streams) throws IOException {
        for (StreamId stream : streams) {
            frames.put(stream, read(log, stream));
        }
        files = Files.createTempDirectory(data.getParent(), "death-");
        copy(data, files);
    }

    static List<Frame> read(FrameLog log, StreamId stream) {
        var all = new ArrayList<Frame>();
        try {
            List<Frame> page;
            do {
                page = await(log.read(stream, all.size(), Limits.PAGE_FRAMES)).frames();
                all.addAll(page);
            } while (!page.isEmpty());
        } catch (Failure notBegun) {
            // Nothing was recorded of it.
        }
        return all;
    }

    List<Frame> frames(StreamId stream) {
        return frames.getOrDefault(stream, List.of());
    }

    /** Lets the server die when it had recorded these frames of a stream. */
    void put(StreamId stream, List<Frame> recorded) {
        frames.put(stream, List.copyOf(recorded));
    }

    /** The files as the server left them. */
    Path files() {
        return files;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path file : all.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
    }

    /** What the next server finds. */
    MemoryFrameLog leaves(Vertx vertx, Path to) throws IOException {
        copy(files, to);
        var log = new MemoryFrameLog(vertx);
        for (Map.Entry<StreamId, List<Frame>> stream : frames.entrySet()) {
            if (!stream.getValue().isEmpty()) {
                try (StreamWriter writer = await(log.create(stream.getKey()))) {
                    stream.getValue().forEach(frame -> await(writer.append(frame.timestampMs(), frame.body())));
                }
            }
        }
        return log;
    }
}
