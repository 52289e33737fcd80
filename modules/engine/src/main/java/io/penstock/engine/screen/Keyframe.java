package io.penstock.engine.screen;

import io.penstock.frames.Limits;
import io.penstock.terminal.Emulator;
import io.penstock.terminal.ScreenState;
import io.penstock.terminal.ansi.AnsiScreen;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * A stored screen from which emulation can start, instead of from the first byte of output. It is stored as escape sequences, which
 * hold a screen's complete state.
 *
 * @param seq the frame after which the screen was taken
 * @param offset number of bytes of output up to it
 */
record Keyframe(long seq, long offset, boolean whole, int rows, int cols, byte[] ansi) {

    /** Of the stored form, before the compressed bytes: both lengths, seq, offset, size, whole, and a checksum of all the rest. */
    static final int HEADER_BYTES = 4 + 4 + 8 + 8 + 2 + 2 + 1 + 4;

    /** Upper bound for the largest screen with all its scrollback, if every cell has a style of its own. */
    private static final int MAX_BYTES = 256 * 1024 * 1024;

    private static final int CRC_AT = HEADER_BYTES - 4;

    static Keyframe of(long seq, long offset, boolean whole, ScreenState screen) {
        return new Keyframe(seq, offset, whole, screen.rows(), screen.cols(), AnsiScreen.of(screen));
    }

    Emulator emulator() {
        var emulator = new Emulator(rows, cols, Limits.SCREEN_HISTORY_LINES);
        emulator.write(ansi);
        return emulator;
    }

    ByteBuffer stored() {
        byte[] packed = pack(ansi);
        ByteBuffer stored = ByteBuffer.allocate(HEADER_BYTES + packed.length)
                .putInt(packed.length)
                .putInt(ansi.length)
                .putLong(seq)
                .putLong(offset)
                .putShort((short) rows)
                .putShort((short) cols)
                .put((byte) (whole ? 1 : 0))
                .putInt(0)
                .put(packed);
        return stored.putInt(CRC_AT, checksum(stored.array())).flip();
    }

    /** @param stored the complete stored form */
    static Keyframe read(byte[] stored) throws IOException {
        ByteBuffer header = ByteBuffer.wrap(stored);
        int storedChecksum = header.getInt(CRC_AT);
        header.putInt(CRC_AT, 0);
        int length = header.getInt(4);
        if (storedChecksum != checksum(stored) || length < 0 || length > MAX_BYTES) {
            throw new IOException("the keyframe's checksum or length is wrong");
        }
        return new Keyframe(
                header.getLong(8),
                header.getLong(16),
                stored[28] == 1,
                header.getShort(24) & 0xffff,
                header.getShort(26) & 0xffff,
                unpack(stored, length));
    }

    private static int checksum(byte[] stored) {
        var crc = new CRC32();
        crc.update(stored);
        return (int) crc.getValue();
    }

    private static byte[] pack(byte[] bytes) {
        try (var deflater = new Deflater(Deflater.BEST_SPEED)) {
            deflater.setInput(bytes);
            deflater.finish();
            var packed = new ByteArrayOutputStream(bytes.length / 4 + 64);
            byte[] piece = new byte[8192];
            while (!deflater.finished()) {
                packed.write(piece, 0, deflater.deflate(piece));
            }
            return packed.toByteArray();
        }
    }

    private static byte[] unpack(byte[] stored, int length) throws IOException {
        try (var inflater = new Inflater()) {
            inflater.setInput(stored, HEADER_BYTES, stored.length - HEADER_BYTES);
            byte[] bytes = new byte[length];
            int at = 0;
            while (at < length) {
                int read = inflater.inflate(bytes, at, length - at);
                if (read == 0) {
                    throw new IOException("the keyframe is truncated");
                }
                at += read;
            }
            return bytes;
        } catch (DataFormatException e) {
            throw new IOException("the keyframe cannot be decompressed", e);
        }
    }
}
