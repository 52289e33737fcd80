package io.penstock.engine.spawn.epoll;

import io.penstock.frames.Limits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * Native memory between the kernel and a listener. An event loop has one that all its descriptors share, and more only while a
 * listener that is reading from it makes something else be read: what it looks at must not be written over.
 */
final class LoopBuffer {
    static final int BYTES = Limits.DELTA_BYTES;

    private static final ThreadLocal<ArrayDeque<LoopBuffer>> FREE = ThreadLocal.withInitial(ArrayDeque::new);

    private final MemorySegment memory = Arena.ofAuto().allocate(BYTES, Long.BYTES);
    private final ByteBuffer bytes = memory.asByteBuffer();

    private LoopBuffer() {}

    static LoopBuffer take() {
        LoopBuffer free = FREE.get().pollFirst();
        return free == null ? new LoopBuffer() : free;
    }

    void giveBack() {
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
