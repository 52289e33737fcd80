package io.penstock.server.rpc;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;

/** Cuts bytes into lines at LF. Of a line over the limit nothing is kept; it is reported once, and skipped. */
final class LineReader implements Handler<Buffer> {

    /** Receives the lines. */
    interface Lines {

        /** @param utf8 the line without its LF */
        void line(byte[] utf8);

        void tooLong();
    }

    private final Lines lines;
    private int maxBytes;
    private Buffer begun = Buffer.buffer();
    private boolean skipping;

    LineReader(int maxBytes, Lines lines) {
        this.maxBytes = maxBytes;
        this.lines = lines;
    }

    /** Of the next lines. */
    void limit(int bytes) {
        maxBytes = bytes;
    }

    @Override
    public void handle(Buffer read) {
        byte[] bytes = read.getBytes();
        int from = 0;
        for (int at = 0; at < bytes.length; at++) {
            if (bytes[at] == '\n') {
                add(bytes, from, at);
                from = at + 1;
                finish();
            }
        }
        add(bytes, from, bytes.length);
    }

    private void add(byte[] bytes, int from, int to) {
        if (skipping || begun.length() + (to - from) > maxBytes) {
            if (!skipping) {
                skipping = true;
                lines.tooLong();
            }
            begun = Buffer.buffer();
        } else {
            begun.appendBytes(bytes, from, to - from);
        }
    }

    private void finish() {
        if (!skipping && begun.length() > 0) {
            byte[] line = begun.getBytes();
            begun = Buffer.buffer();
            lines.line(line);
        }
        skipping = false;
    }
}
