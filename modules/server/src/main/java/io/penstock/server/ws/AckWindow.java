package io.penstock.server.ws;

import io.penstock.server.ws.wire.WsLimits;
import java.util.ArrayDeque;

/**
 * The output that was sent to a viewer and not yet acknowledged as parsed. Empty until the viewer's first acknowledgement:
 * a viewer that never acknowledges is slowed down by its socket alone.
 */
final class AckWindow {

    /** Small pieces are merged up to this size, so that the number of pieces is bounded. */
    private static final int PIECE_BYTES = WsLimits.UNACKNOWLEDGED_BYTES / 64;

    private record Piece(long nextSeq, int bytes) {}

    private final ArrayDeque<Piece> unacknowledged = new ArrayDeque<>();
    private boolean acknowledges;
    private long bytes;

    void sent(long nextSeq, int moreBytes) {
        if (acknowledges && moreBytes > 0) {
            Piece last = unacknowledged.peekLast();
            boolean merge = last != null && last.bytes() + moreBytes <= PIECE_BYTES;
            unacknowledged.add(
                    new Piece(nextSeq, merge ? unacknowledged.removeLast().bytes() + moreBytes : moreBytes));
            bytes += moreBytes;
        }
    }

    /** The viewer acknowledges all frames below. */
    void parsed(long nextSeq) {
        acknowledges = true;
        while (!unacknowledged.isEmpty() && unacknowledged.element().nextSeq() <= nextSeq) {
            bytes -= unacknowledged.remove().bytes();
        }
    }

    boolean isFull() {
        return bytes >= WsLimits.UNACKNOWLEDGED_BYTES;
    }

    /** The number of pieces in memory. */
    int pieces() {
        return unacknowledged.size();
    }
}
