package io.penstock.server.ws;

import java.util.ArrayDeque;

/** What a viewer has been sent and has not parsed, of one who says what it has: nothing of others, whose sockets alone hold us back. */
final class Unparsed {

    private record Sent(long nextSeq, int bytes) {}

    private final ArrayDeque<Sent> under = new ArrayDeque<>();
    private boolean tells;
    private long bytes;

    void sent(long nextSeq, int moreBytes) {
        if (tells) {
            under.add(new Sent(nextSeq, moreBytes));
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
}
