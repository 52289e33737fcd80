package io.penstock.server.ws.wire;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocketFrame;

/**
 * Assembles WebSocket frames into messages. Text stays bytes, since decoding it here would replace invalid UTF-8 before it
 * could be refused. Lives on the socket's context.
 */
public final class MessageAssembler {

    /** Receives the messages. */
    public interface Listener {
        void text(Buffer utf8);

        void bytes(Buffer bytes);

        /** A message exceeds the limit; the part that was received has been discarded. */
        void tooLong();
    }

    private final Listener listener;
    private Buffer message = Buffer.buffer();
    private boolean text;

    public MessageAssembler(Listener listener) {
        this.listener = listener;
    }

    public void frame(WebSocketFrame frame) {
        if (frame.isText() || frame.isBinary()) {
            text = frame.isText();
            message = frame.isFinal() ? frame.binaryData() : Buffer.buffer().appendBuffer(frame.binaryData());
        } else if (!frame.isContinuation()) {
            return;
        } else if (message.length() + frame.binaryData().length() > WsLimits.MESSAGE_BYTES) {
            message = Buffer.buffer();
            listener.tooLong();
            return;
        } else {
            message.appendBuffer(frame.binaryData());
        }
        if (frame.isFinal()) {
            Buffer whole = message;
            message = Buffer.buffer();
            if (text) {
                listener.text(whole);
            } else {
                listener.bytes(whole);
            }
        }
    }
}
