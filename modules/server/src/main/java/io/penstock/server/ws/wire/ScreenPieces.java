package io.penstock.server.ws.wire;

import io.penstock.engine.screen.RenderedScreen;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** Splits a screen into messages, each of which is encoded only when it is taken. */
final class ScreenPieces implements Iterator<Buffer> {

    /** As base64 in an object, a piece still fits into a message. */
    private static final int PIECE_BYTES = 40 * 1024;

    interface Message {
        /** @param left the bytes of the screen that are left for later messages */
        Buffer encode(byte[] piece, int left);
    }

    private final byte[] bytes;
    private final Message message;
    private int taken;

    ScreenPieces(RenderedScreen screen, Message message) {
        this.bytes = screen.bytes();
        this.message = message;
    }

    @Override
    public boolean hasNext() {
        return taken < bytes.length;
    }

    @Override
    public Buffer next() {
        if (!hasNext()) {
            throw new NoSuchElementException("The screen has no further piece");
        }
        byte[] piece = Arrays.copyOfRange(bytes, taken, Math.min(bytes.length, taken + PIECE_BYTES));
        taken += piece.length;
        return message.encode(piece, bytes.length - taken);
    }
}
