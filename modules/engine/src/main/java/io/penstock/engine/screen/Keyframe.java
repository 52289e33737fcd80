package io.penstock.engine.screen;

import io.penstock.engine.screen.terminal.AnsiScreen;
import io.penstock.engine.screen.terminal.Emulator;
import io.penstock.engine.screen.terminal.ScreenState;
import io.penstock.frames.Limits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * A screen that is kept, so that another one is not made from the first byte on. It is kept as what a program would have to write
 * for it, which is all that a screen is.
 *
 * @param seq the frame that it was after
 * @param offset how many bytes of output it shows
 */
record Keyframe(long seq, long offset, boolean whole, int rows, int cols, byte[] ansi) {

    /** Of the stored form, before the compressed bytes: their length, seq, offset, size, whether whole, and a checksum of all else. */
    static final int HEADER_BYTES = 4 + 4 + 8 + 8 + 2 + 2 + 1 + 4;

    /** Of the largest screen with all its history, when every cell has a style of its own. */
    private static final int MOST_BYTES = 256 * 1024 * 1024;

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

    /** @param stored one of them, whole */
    static Keyframe read(byte[] stored) throws IOException {
        ByteBuffer header = ByteBuffer.wrap(stored);
        int told = header.getInt(CRC_AT);
        header.putInt(CRC_AT, 0);
        int length = header.getInt(4);
        if (told != checksum(stored) || length < 0 || length > MOST_BYTES) {
            throw new IOException("A keyframe is not as it was written");
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
                    throw new IOException("A keyframe ends early");
                }
                at += read;
            }
            return bytes;
        } catch (DataFormatException e) {
            throw new IOException("A keyframe cannot be unpacked", e);
        }
    }
}
