package io.penstock.frames;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A growing buffer for the stored form, reused by one thread. */
public final class ByteWriter {

    private byte[] bytes;
    private int length;

    public ByteWriter() {
        this.bytes = new byte[256];
    }

    public void clear() {
        length = 0;
    }

    /** The buffer itself, of which the first {@link #length()} bytes are used; valid until the next write. */
    public byte[] array() {
        return bytes;
    }

    public int length() {
        return length;
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, length);
    }

    public void writeByte(int value) {
        room(1);
        bytes[length++] = (byte) value;
    }

    /** Seven bits per byte, the lowest first; for numbers from 0. */
    public void writeNumber(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("The stored form has no negative numbers: " + value);
        }
        room(10);
        long rest = value;
        while (rest > 0x7f) {
            bytes[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
    }

    public void writeNumberOrNull(@Nullable Number value) {
        // 0 is null, so that the common absent field costs one byte and no flag.
        writeNumber(value == null ? 0 : value.longValue() + 1);
    }

    /** The code of a constant is its ordinal, so constants are only ever appended. */
    void writeConstant(Enum<?> constant) {
        writeByte(constant.ordinal());
    }

    void writeConstantOrNull(@Nullable Enum<?> constant) {
        writeNumber(constant == null ? 0 : constant.ordinal() + 1L);
    }

    public void writeText(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        writeNumber(utf8.length);
        append(utf8);
    }

    public void writeTextOrNull(@Nullable String value) {
        if (value == null) {
            writeNumber(0);
            return;
        }
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        writeNumber(utf8.length + 1L);
        append(utf8);
    }

    public void writeBytes(byte[] value) {
        writeNumber(value.length);
        append(value);
    }

    private void append(byte[] value) {
        room(value.length);
        System.arraycopy(value, 0, bytes, length, value.length);
        length += value.length;
    }

    private void room(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }
}
