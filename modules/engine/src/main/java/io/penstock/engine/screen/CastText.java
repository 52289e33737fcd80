package io.penstock.engine.screen;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Decodes bytes piece by piece: a character split between two pieces comes with the second. Bytes that are not UTF-8 are dropped, as
 * a terminal drops them.
 */
final class CastText {

    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.IGNORE)
            .onUnmappableCharacter(CodingErrorAction.IGNORE);
    private ByteBuffer rest = ByteBuffer.allocate(0);

    String of(byte[] piece) {
        ByteBuffer in = ByteBuffer.allocate(rest.remaining() + piece.length)
                .put(rest)
                .put(piece)
                .flip();
        CharBuffer out = CharBuffer.allocate(in.remaining());
        decoder.decode(in, out, false);
        rest = in;
        return out.flip().toString();
    }
}
