package io.penstock.bench.soak.log;

import io.penstock.bench.soak.SoakFailure;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One appending process; its output is entered into the book as it arrives, until the process is killed. */
final class AppenderProcess {

    private static final long READY_WITHIN_MS = 60_000;

    private final Process process;
    private final AcceptedBook book;
    private final Thread listener;
    private final long begunNanos = System.nanoTime();
    private final CountDownLatch ready = new CountDownLatch(1);
    private final CountDownLatch held = new CountDownLatch(1);
    private final AtomicInteger refusals = new AtomicInteger();
    private volatile String lastRefusal = "it said nothing";
    private final List<String> recovered = new CopyOnWriteArrayList<>();
    private volatile long readyNanos = -1;
    private volatile @Nullable SoakFailure wrong;

    private AppenderProcess(Process process, AcceptedBook book) {
        this.process = process;
        this.book = book;
        this.listener = Thread.ofPlatform().daemon().name("soak-listener").unstarted(this::listen);
    }

    /** @param errors a file to which the process' standard error is appended */
    static AppenderProcess start(List<String> command, AcceptedBook book, Path errors) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                .start();
        var appender = new AppenderProcess(process, book);
        appender.listener.start();
        return appender;
    }

    private void listen() {
        try (var bytes = new BufferedInputStream(process.getInputStream(), 1 << 16)) {
            var line = new ByteArrayOutputStream();
            for (int next = bytes.read(); next >= 0; next = bytes.read()) {
                if (next == '\n') {
                    heard(line.toString(StandardCharsets.UTF_8));
                    line.reset();
                } else {
                    line.write(next);
                }
            }
            // A line without an end was cut by the kill: its event was not reported.
        } catch (IOException e) {
            throw new SoakFailure("the output of an appender could not be read", e);
        } catch (SoakFailure e) {
            wrong = e;
            process.toHandle().destroyForcibly();
        }
    }

    private void heard(String line) {
        if (line.startsWith(AppenderOutput.ACCEPTED)) {
            String[] words = line.split(" ");
            book.accepted(words[1], Long.parseLong(words[2]), Long.parseLong(words[3]), Integer.parseInt(words[4]));
        } else if (line.startsWith(AppenderOutput.BEGUN)) {
            book.begun(line.substring(AppenderOutput.BEGUN.length()));
        } else if (line.equals(AppenderOutput.READY)) {
            readyNanos = System.nanoTime();
            ready.countDown();
        } else if (line.equals(AppenderOutput.HELD)) {
            held.countDown();
        } else if (line.startsWith(AppenderOutput.RECOVERED)) {
            recovered.add(line.substring(AppenderOutput.RECOVERED.length()));
        } else if (line.startsWith(AppenderOutput.REFUSED)) {
            lastRefusal = line.substring(AppenderOutput.REFUSED.length());
            refusals.incrementAndGet();
        } else if (line.startsWith(AppenderOutput.WRONG)) {
            throw new SoakFailure(
                    "an appender found something wrong: " + line.substring(AppenderOutput.WRONG.length()));
        }
        // Anything else is a JVM message about its cache.
    }

    /** Whether it was ready to append within this time. */
    boolean awaitReady(long withinMs) throws InterruptedException {
        return ready.await(withinMs, TimeUnit.MILLISECONDS);
    }

    /** Fails if it does not become ready to append. */
    void requireReady() throws InterruptedException {
        if (!awaitReady(READY_WITHIN_MS)) {
            throw new SoakFailure(
                    "an appender was not ready after " + READY_WITHIN_MS + " ms; the last it said was: " + lastRefusal);
        }
    }

    /** Whether it had to wait for room within this time. */
    boolean awaitHeld(long withinMs) throws InterruptedException {
        return held.await(withinMs, TimeUnit.MILLISECONDS);
    }

    /** The time it took to become ready, or -1 if it did not. */
    long startMs() {
        return readyNanos < 0 ? -1 : (readyNanos - begunNanos) / 1_000_000;
    }

    int refusals() {
        return refusals.get();
    }

    List<String> recovered() {
        return recovered;
    }

    /** Writes a thread dump, to find out why the process makes no progress. */
    void writeThreads(Path file) throws IOException, InterruptedException {
        new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(process.pid()),
                        "Thread.print")
                .redirectErrorStream(true)
                .redirectOutput(file.toFile())
                .start()
                .waitFor(20, TimeUnit.SECONDS);
    }

    /** After a failure, when its output no longer matters. */
    void abandon() {
        process.destroyForcibly();
    }

    /** Sends SIGTERM and waits for an orderly end. */
    void end() throws InterruptedException {
        process.toHandle().destroy();
        if (!process.waitFor(READY_WITHIN_MS, TimeUnit.MILLISECONDS)) {
            process.destroyForcibly();
        }
        settled();
    }

    private void settled() throws InterruptedException {
        listener.join(READY_WITHIN_MS);
        SoakFailure failure = wrong;
        if (failure != null) {
            throw failure;
        }
        if (listener.isAlive()) {
            throw new SoakFailure("the output of an appender that has ended does not end");
        }
    }

    /** Sends SIGKILL. When this returns, the book has everything that it had reported. */
    void kill() throws InterruptedException {
        boolean wasAlive = process.isAlive();
        // By its handle, since destroying the Process would close the pipe with its unread content.
        process.toHandle().destroyForcibly();
        int exit = process.waitFor();
        settled();
        if (!wasAlive || exit != 128 + 9) {
            throw new SoakFailure("an appender ended by itself, with exit code " + exit);
        }
    }
}
