package io.penstock.server.ws;

import io.penstock.server.ws.wire.WsLimits;
import java.util.ArrayDeque;

/** What a viewer has been sent and has not parsed, of one who says what it has: nothing of others, whose sockets alone hold us back. */
final class AckWindow {

    /** Pieces that are smaller together are as one, so that few of them are kept whatever their size. */
    private static final int PIECE_BYTES = WsLimits.UNACKNOWLEDGED_BYTES / 64;

    private record Sent(long nextSeq, int bytes) {}

    private final ArrayDeque<Sent> under = new ArrayDeque<>();
    private boolean tells;
    private long bytes;

    void sent(long nextSeq, int moreBytes) {
        if (tells && moreBytes > 0) {
            Sent last = under.peekLast();
            boolean together = last != null && last.bytes() + moreBytes <= PIECE_BYTES;
            under.add(new Sent(nextSeq, together ? under.removeLast().bytes() + moreBytes : moreBytes));
            bytes += moreBytes;
        }
    }

    /** All frames below. */
    void parsed(long nextSeq) {
        tells = true;
        while (!under.isEmpty() && under.element().nextSeq() <= nextSeq) {
            bytes -= under.remove().bytes();
        }
    }

    boolean isFull() {
        return bytes >= WsLimits.UNACKNOWLEDGED_BYTES;
    }

    /** That are kept now. */
    int pieces() {
        return under.size();
    }
}
