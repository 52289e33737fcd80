package io.penstock.bench.task;

import static io.penstock.bench.log.BenchPostgres.await;

import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Channel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/** A program that prints its process id and sleeps while others write to its output. */
final class Sleeper {

    /** The terminal passes everything on unchanged. */
    static final String COMMAND = "stty raw -echo 2>/dev/null; echo \"$$.\"; exec sleep 1000000";

    private static final long WITHIN_SECONDS = 20;

    private Sleeper() {}

    static long pid(TaskApi tasks, String taskId, Channel channel) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(WITHIN_SECONDS);
        while (System.nanoTime() < until) {
            String said = await(tasks.output(taskId, channel, 0, 100)).text().text();
            if (said.contains(".")) {
                return Long.parseLong(said.substring(0, said.indexOf('.')).trim());
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
        throw new IllegalStateException("the program did not print its process id");
    }

    static FileChannel output(long pid) throws IOException {
        return FileChannel.open(Path.of("/proc/" + pid + "/fd/1"), StandardOpenOption.WRITE);
    }

    static void writeAll(FileChannel output, ByteBuffer piece) throws IOException {
        piece.clear();
        while (piece.hasRemaining()) {
            output.write(piece);
        }
    }
}
