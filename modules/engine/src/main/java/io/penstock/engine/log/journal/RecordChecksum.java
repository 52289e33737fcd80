package io.penstock.engine.log.journal;

import java.util.zip.CRC32C;

/** CRC32C over position, size and payload, so that a record is whole only in its own place. For one thread at a time. */
final class RecordChecksum {
    private final CRC32C crc = new CRC32C();
    private final byte[] place = new byte[Long.BYTES + Integer.BYTES];

    int of(long position, byte[] payload, int offset, int length) {
        RecordFormat.LONG_IN_ARRAY.set(place, 0, position);
        RecordFormat.INT_IN_ARRAY.set(place, Long.BYTES, RecordFormat.HEAD_BYTES + length);
        crc.reset();
        crc.update(place, 0, place.length);
        crc.update(payload, offset, length);
        return (int) crc.getValue();
    }
}
