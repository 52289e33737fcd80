package io.penstock.engine.screen;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Bytes as text, piece after piece: a character that two pieces share comes with the second. What is no UTF-8 is left out, as a
 * terminal leaves it out.
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
