package io.penstock.engine.log.journal;

import java.util.zip.CRC32C;

/**
 * CRC32C over position, size and payload, so that a record is valid only at its own position. For one thread at a time.
 */
final class RecordChecksum {
    private final CRC32C crc = new CRC32C();
    private final byte[] head = new byte[Long.BYTES + Integer.BYTES];

    int of(long position, byte[] payload, int offset, int length) {
        RecordFormat.LONG_IN_ARRAY.set(head, 0, position);
        RecordFormat.INT_IN_ARRAY.set(head, Long.BYTES, RecordFormat.HEAD_BYTES + length);
        crc.reset();
        crc.update(head, 0, head.length);
        crc.update(payload, offset, length);
        return (int) crc.getValue();
    }
}
