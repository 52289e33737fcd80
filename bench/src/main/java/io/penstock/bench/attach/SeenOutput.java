package io.penstock.bench.attach;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Parses a WebSocket's data as it arrives and without a copy: the bytes that a task wrote, each of which has to be the
 * next.
 */
final class SeenOutput {

    /** Called with each run of bytes. */
    interface Bytes {
        /** @param from position in the buffer, which is not moved */
        void seen(long offset, ByteBuffer buffer, int from, int length) throws IOException;
    }

    private static final int OUTPUT = 1;
    private static final int BINARY = 2;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int MORE = 0x80;
    private static final int SEVEN_BITS = 0x7f;

    private enum At {
        OPCODE,
        LENGTH,
        LONG_LENGTH,
        KIND,
        ENTRY_LENGTH,
        SEQ,
        CHANNEL,
        OFFSET,
        DATA,
        OTHER
    }

    private final boolean entries;
    private final Bytes bytes;
    private At at = At.OPCODE;
    private int opcode;
    private int lengthBytes;
    private long messageLeft;
    private long entryLeft;
    private long number;
    private int shift;
    private int kind;
    private long seen;
    private boolean asked;
    private final ByteArrayOutputStream close = new ByteArrayOutputStream();

    SeenOutput(boolean entries, Bytes bytes) {
        this.entries = entries;
        this.bytes = bytes;
    }

    long seen() {
        return seen;
    }

    /** The code and reason of the close, as far as they have arrived. */
    String closed() {
        byte[] told = close.toByteArray();
        return told.length < 2
                ? "without a close"
                : "with " + ByteBuffer.wrap(told).getShort() + " "
                        + new String(told, 2, told.length - 2, StandardCharsets.UTF_8);
    }

    /** Whether a ping has arrived since the last call. */
    boolean wasAsked() {
        boolean was = asked;
        asked = false;
        return was;
    }

    void add(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            switch (at) {
                case OPCODE -> {
                    opcode = buffer.get() & 0xf;
                    asked |= opcode == PING;
                    at = At.LENGTH;
                }
                case LENGTH -> {
                    int length = buffer.get() & SEVEN_BITS;
                    lengthBytes = length == 126 ? 2 : length == 127 ? 8 : 0;
                    messageLeft = lengthBytes == 0 ? length : 0;
                    if (lengthBytes == 0) {
                        message();
                    } else {
                        at = At.LONG_LENGTH;
                    }
                }
                case LONG_LENGTH -> {
                    messageLeft = messageLeft << 8 | buffer.get() & 0xff;
                    if (--lengthBytes == 0) {
                        message();
                    }
                }
                case DATA, OTHER -> run(buffer);
                case KIND, ENTRY_LENGTH, SEQ, CHANNEL, OFFSET -> head(buffer.get() & 0xff);
            }
        }
    }

    private void message() {
        if (messageLeft == 0) {
            at = At.OPCODE;
        } else if (opcode != BINARY && opcode != 0) {
            at = At.OTHER;
            entryLeft = messageLeft;
        } else if (entries) {
            at = At.KIND;
        } else {
            at = At.DATA;
            entryLeft = messageLeft;
        }
    }

    /** One byte of an entry's head. */
    private void head(int next) throws IOException {
        messageLeft--;
        switch (at) {
            case KIND -> {
                kind = next;
                begin(At.ENTRY_LENGTH);
            }
            case ENTRY_LENGTH -> {
                if (isWhole(next)) {
                    entryLeft = number;
                    begin(kind == OUTPUT ? At.SEQ : At.OTHER);
                }
            }
            case SEQ -> {
                entryLeft--;
                if (isWhole(next)) {
                    begin(At.CHANNEL);
                }
            }
            case CHANNEL -> {
                entryLeft--;
                begin(At.OFFSET);
            }
            case OFFSET -> {
                entryLeft--;
                if (isWhole(next)) {
                    if (number != seen) {
                        throw new IOException("output from " + number + " on came where " + seen + " was next");
                    }
                    begin(At.DATA);
                }
            }
            case OPCODE, LENGTH, LONG_LENGTH, DATA, OTHER -> throw new IllegalStateException("not in a head: " + at);
        }
        if ((at == At.DATA || at == At.OTHER) && entryLeft == 0) {
            over();
        }
    }

    private void begin(At next) {
        at = next;
        number = 0;
        shift = 0;
    }

    private boolean isWhole(int next) {
        number |= (long) (next & SEVEN_BITS) << shift;
        shift += 7;
        return (next & MORE) == 0;
    }

    private void run(ByteBuffer buffer) throws IOException {
        int length = (int) Math.min(entryLeft, buffer.remaining());
        if (at == At.DATA) {
            bytes.seen(seen, buffer, buffer.position(), length);
            seen += length;
        } else if (opcode == CLOSE) {
            for (int i = 0; i < length; i++) {
                close.write(buffer.get(buffer.position() + i));
            }
        }
        buffer.position(buffer.position() + length);
        entryLeft -= length;
        messageLeft -= length;
        if (entryLeft == 0) {
            over();
        }
    }

    private void over() {
        begin(messageLeft == 0 ? At.OPCODE : At.KIND);
    }
}
