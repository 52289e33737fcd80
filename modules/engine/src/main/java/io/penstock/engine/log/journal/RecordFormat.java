package io.penstock.engine.log.journal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A record is {@code size u32, crc32c u32, payload, zeros up to the next multiple of 8}, little-endian; size counts
 * head and payload, so it is never 0 for a record, and is stored last.
 */
final class RecordFormat {
    static final int PAGE_BYTES = 4096;
    static final int HEAD_BYTES = 8;
    static final int ALIGNMENT = 8;

    /** In place of a size: nothing has been written from here on. */
    static final int END = 0;

    /** In place of a size: this segment ends here, continue in the next. */
    static final int CLOSED = -1;

    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final VarHandle SIZE = INT.varHandle();
    static final VarHandle LONG_IN_ARRAY = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle INT_IN_ARRAY = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private RecordFormat() {}

    static int bytesInFile(int payloadBytes) {
        return aligned(HEAD_BYTES + payloadBytes);
    }

    static int aligned(int bytes) {
        return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    }

    static int sizeAt(MemorySegment segment, long offset) {
        return (int) SIZE.getAcquire(segment, offset);
    }
}
