package io.penstock.frames;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads the bytes of a {@link ByteWriter}. Truncated or invalid bytes cause a {@code MALFORMED_FRAME} failure. */
public final class ByteReader {

    /** The constants of an enum by their codes. */
    private static final ClassValue<Object[]> CONSTANTS = new ClassValue<>() {
        @Override
        protected Object[] computeValue(Class<?> type) {
            return type.getEnumConstants();
        }
    };

    private final byte[] bytes;
    private final int end;
    private int at;

    public ByteReader(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        this.at = offset;
        this.end = offset + length;
    }

    public ByteReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    /** Whether there is more: check it before reading fields that a later version appended. */
    public boolean hasMore() {
        return at < end;
    }

    public int readByte() {
        need(1);
        return bytes[at++] & 0xff;
    }

    public long readNumber() {
        long value = 0;
        for (int shift = 0; shift < 63; shift += 7) {
            int next = readByte();
            value |= (long) (next & 0x7f) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw malformed("a number has more than nine bytes");
    }

    public int readSmallNumber() {
        long value = readNumber();
        if (value > Integer.MAX_VALUE) {
            throw malformed("a number of 32 bits is " + value);
        }
        return (int) value;
    }

    public @Nullable Long readNumberOrNull() {
        long value = readNumber();
        return value == 0 ? null : value - 1;
    }

    public @Nullable Integer readSmallNumberOrNull() {
        int value = readSmallNumber();
        return value == 0 ? null : value - 1;
    }

    /** An unknown code is an {@link IllegalArgumentException}, to which {@link StoredForm} adds the frame's type. */
    <E extends Enum<E>> E readConstant(Class<E> type) {
        return constant(type, readByte());
    }

    <E extends Enum<E>> @Nullable E readConstantOrNull(Class<E> type) {
        int code = readSmallNumber();
        return code == 0 ? null : constant(type, code - 1);
    }

    private static <E extends Enum<E>> E constant(Class<E> type, int code) {
        Object[] constants = CONSTANTS.get(type);
        if (code >= constants.length) {
            throw new IllegalArgumentException(type.getSimpleName() + " number " + code + " is not known");
        }
        return type.cast(constants[code]);
    }

    public String readText() {
        return text(readSmallNumber());
    }

    public @Nullable String readTextOrNull() {
        int length = readSmallNumber();
        return length == 0 ? null : text(length - 1);
    }

    public byte[] readBytes() {
        int length = readSmallNumber();
        need(length);
        byte[] value = Arrays.copyOfRange(bytes, at, at + length);
        at += length;
        return value;
    }

    /** All remaining bytes. */
    public byte[] readRest() {
        byte[] value = Arrays.copyOfRange(bytes, at, end);
        at = end;
        return value;
    }

    private String text(int length) {
        need(length);
        var value = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return value;
    }

    private void need(int count) {
        if (end - at < count) {
            throw malformed(count + " more bytes are needed, " + (end - at) + " are left");
        }
    }

    private static Failure malformed(String what) {
        return new Failure(FailureCode.MALFORMED_FRAME, "A stored record is malformed: " + what);
    }
}
