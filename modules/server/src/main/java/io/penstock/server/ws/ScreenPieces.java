package io.penstock.server.ws;

import io.penstock.engine.screen.ScreenAt;
import io.penstock.engine.screen.terminal.AnsiScreen;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A screen as bytes for a terminal, in pieces that fit into messages. */
final class ScreenPieces {

    /** As base64 and in an object, it still fits. */
    private static final int PIECE_BYTES = 40 * 1024;

    /** Takes a terminal to where it was when it was new, whatever it has been shown. */
    private static final byte[] RESET = {0x1b, 'c'};

    private ScreenPieces() {}

    static List<byte[]> of(ScreenAt screen) {
        byte[] ansi = AnsiScreen.of(screen.screen());
        byte[] all = Arrays.copyOf(RESET, RESET.length + ansi.length);
        System.arraycopy(ansi, 0, all, RESET.length, ansi.length);
        var pieces = new ArrayList<byte[]>();
        for (int at = 0; at < all.length; at += PIECE_BYTES) {
            pieces.add(Arrays.copyOfRange(all, at, Math.min(all.length, at + PIECE_BYTES)));
        }
        return pieces;
    }
}
