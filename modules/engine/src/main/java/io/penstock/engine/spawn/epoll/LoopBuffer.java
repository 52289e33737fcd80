package io.penstock.engine.spawn.epoll;

import io.penstock.frames.Limits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * Native memory between the kernel and a listener. All descriptors of an event loop share one. There are more only while a listener,
 * in its call, causes another read: the bytes that it reads must not be overwritten.
 */
final class LoopBuffer {
    static final int BYTES = Limits.DELTA_BYTES;

    private static final ThreadLocal<ArrayDeque<LoopBuffer>> FREE = ThreadLocal.withInitial(ArrayDeque::new);

    private final MemorySegment memory = Arena.ofAuto().allocate(BYTES, Long.BYTES);
    private final ByteBuffer bytes = memory.asByteBuffer();

    private LoopBuffer() {}

    static LoopBuffer acquire() {
        LoopBuffer free = FREE.get().pollFirst();
        return free == null ? new LoopBuffer() : free;
    }

    void release() {
        FREE.get().addFirst(this);
    }

    MemorySegment memory() {
        return memory;
    }

    /** The memory from its start. The same object each time, so nothing is allocated. */
    ByteBuffer first(int length) {
        return bytes.clear().limit(length);
    }
}
