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
 * Takes the lines of the log without delay, and has a thread of its own write them: event loops log too, and would stand still with
 * whoever reads the log and stops reading it. What it has not taken is kept up to a limit; more is left out, and how much is said.
 */
final class LogOutput extends OutputStream {

    /** Some thousand lines. */
    static final int MOST_BYTES = 1024 * 1024;

    /** For the last words, when somebody reads them. */
    private static final long LAST_WORDS_MS = 1_000;

    private final OutputStream to;
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
    private int bytes;
    private long leftOut;
    private boolean writing;

    private LogOutput(OutputStream to) {
        this.to = to;
    }

    /** Begins to write what it is given. */
    static LogOutput begin(OutputStream to) {
        var output = new LogOutput(to);
        Thread.ofPlatform().name("log").daemon().start(output::writeAll);
        return output;
    }

    /** From now on, of all that this process says on its standard error. */
    static LogOutput ofStandardError() {
        LogOutput output = begin(new FileOutputStream(FileDescriptor.err));
        System.setErr(new PrintStream(output, false, Charset.forName(System.getProperty("stderr.encoding", "UTF-8"))));
        return output;
    }

    @Override
    public void write(int one) {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] from, int offset, int length) {
        if (leftOut > 0 || bytes + length > MOST_BYTES) {
            leftOut += lines(from, offset, length);
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
                pass(next());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void pass(byte[] next) {
        try {
            to.write(next);
        } catch (IOException e) {
            // There is no other place to say so. A disk that is full may have room for the next line.
        }
    }

    private synchronized byte[] next() throws InterruptedException {
        writing = false;
        notifyAll();
        while (waiting.isEmpty() && leftOut == 0) {
            wait();
        }
        writing = true;
        byte[] next = waiting.poll();
        if (next == null) {
            next = (leftOut + " lines were left out here, since nobody read the log.\n")
                    .getBytes(StandardCharsets.UTF_8);
            leftOut = 0;
        } else {
            bytes -= next.length;
        }
        return next;
    }

    /** Waits until all is written, if somebody reads it. */
    synchronized void settle() {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LAST_WORDS_MS);
        long left = LAST_WORDS_MS;
        try {
            while (left > 0 && (writing || !waiting.isEmpty() || leftOut > 0)) {
                wait(left);
                left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
