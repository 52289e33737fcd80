package io.penstock.server;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * Takes log lines without blocking and writes them on a thread of its own: event loops log too, and would block if the
 * reader of the log stopped reading. Unwritten lines are kept up to a limit; further lines are dropped and counted in
 * the log.
 */
final class LogOutput extends OutputStream {

    /** A few thousand lines. */
    static final int MAX_BYTES = 1024 * 1024;

    /** Time to write the last lines at exit. */
    private static final long FLUSH_MS = 1_000;

    private final OutputStream to;
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
    private int bytes;
    private long dropped;
    private boolean writing;

    private LogOutput(OutputStream to) {
        this.to = to;
    }

    /** Starts the thread that writes to the given stream. */
    static LogOutput start(OutputStream to) {
        var output = new LogOutput(to);
        Thread.ofPlatform().name("log").daemon().start(output::writeAll);
        return output;
    }

    /** Replaces this process' standard error. */
    static LogOutput ofStandardError() {
        LogOutput output = start(new FileOutputStream(FileDescriptor.err));
        System.setErr(new PrintStream(output, false, Charset.forName(System.getProperty("stderr.encoding", "UTF-8"))));
        return output;
    }

    @Override
    public void write(int one) {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] from, int offset, int length) {
        if (dropped > 0 || bytes + length > MAX_BYTES) {
            dropped += lines(from, offset, length);
            return;
        }
        byte[] copy = new byte[length];
        System.arraycopy(from, offset, copy, 0, length);
        waiting.add(copy);
        bytes += length;
        notifyAll();
    }

    private static long lines(byte[] from, int offset, int length) {
        long lines = 0;
        for (int i = offset; i < offset + length; i++) {
            lines += from[i] == '\n' ? 1 : 0;
        }
        return lines;
    }

    private void writeAll() {
        try {
            while (true) {
                writeOut(next());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void writeOut(byte[] next) {
        try {
            to.write(next);
        } catch (IOException e) {
            // There is no other place to report this. A full disk may have room for the next line.
        }
    }

    private synchronized byte[] next() throws InterruptedException {
        writing = false;
        notifyAll();
        while (waiting.isEmpty() && dropped == 0) {
            wait();
        }
        writing = true;
        byte[] next = waiting.poll();
        if (next == null) {
            next = (dropped + " lines were dropped here because the log was not being read.\n")
                    .getBytes(StandardCharsets.UTF_8);
            dropped = 0;
        } else {
            bytes -= next.length;
        }
        return next;
    }

    /** Waits until everything is written, or the time is up because the log is not being read. */
    synchronized void settle() {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FLUSH_MS);
        long left = FLUSH_MS;
        try {
            while (left > 0 && (writing || !waiting.isEmpty() || dropped > 0)) {
                wait(left);
                left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
