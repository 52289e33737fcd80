package io.penstock.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.internal.OutOfDirectMemoryError;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The memory outside the heap, where the buffers of connections are. */
@Tag("BOUNDED")
class DirectMemoryTest {

    private static final long HEAP_MIB = 64;

    @Test
    void nettyRefusesABufferBeforeTheJvmWaitsForItsCollector() throws Exception {
        Process server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-XX:+UseSerialGC",
                        "-Xmx" + HEAP_MIB + "m",
                        "-XX:MaxDirectMemorySize=" + HEAP_MIB + "m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Taker.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said = server.inputReader()) {
            // The JVM's heap is somewhat smaller than what it was given.
            long mib = Long.parseLong(said.readLine());
            assertEquals(Long.parseLong(said.readLine()) / 4 * 3 >> 20, mib);
            assertEquals("as large as the limit", said.readLine());
            assertEquals("there is memory again", said.readLine());
        }
        assertEquals(0, server.waitFor());
    }

    /** Takes buffers as a server's connections do. */
    static final class Taker {

        private Taker() {}

        public static void main(String[] args) {
            Main.limitDirectMemory();
            int piece = 4 << 20;
            var taken = new ArrayList<ByteBuf>();
            try {
                while (true) {
                    taken.add(PooledByteBufAllocator.DEFAULT.directBuffer(piece));
                }
            } catch (OutOfDirectMemoryError full) {
                long limit = Long.getLong("io.netty.maxDirectMemory");
                System.out.println(limit >> 20);
                System.out.println(Runtime.getRuntime().maxMemory());
                boolean all = limit - (long) taken.size() * piece < 2L * piece;
                System.out.println(all ? "as large as the limit" : taken.size() + " buffers of 4 MiB");
            }
            taken.forEach(ByteBuf::release);
            List<ByteBuf> again = List.of(PooledByteBufAllocator.DEFAULT.directBuffer(piece));
            again.forEach(ByteBuf::release);
            System.out.println("there is memory again");
        }
    }
}
