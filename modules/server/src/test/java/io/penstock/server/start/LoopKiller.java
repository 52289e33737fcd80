package io.penstock.server.start;

import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.spi.VerticleFactory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;

/**
 * A Java agent that ends an event loop of a server by an error, as a defect would. Vert.x finds it as one of its verticle factories, and
 * shows it the instance; the server knows nothing of it.
 */
public final class LoopKiller implements VerticleFactory {

    private static volatile @Nullable String gate;

    /** @param gate a named pipe: the loop ends when the test writes to it */
    public static void premain(String gate) {
        LoopKiller.gate = gate;
    }

    /** Writes the agent's jar. */
    static void pack(Path jar) throws IOException {
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name("Premain-Class"), LoopKiller.class.getName());
        try (var packed = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            for (Class<?> each : new Class<?>[] {LoopKiller.class, Failing.class}) {
                String name = each.getName().replace('.', '/') + ".class";
                try (InputStream bytes =
                        Objects.requireNonNull(LoopKiller.class.getClassLoader().getResourceAsStream(name))) {
                    put(packed, name, bytes.readAllBytes());
                }
            }
            String service = "META-INF/services/" + VerticleFactory.class.getName();
            put(packed, service, LoopKiller.class.getName().getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void put(JarOutputStream packed, String name, byte[] bytes) throws IOException {
        packed.putNextEntry(new ZipEntry(name));
        packed.write(bytes);
        packed.closeEntry();
    }

    @Override
    public String prefix() {
        return "loop-killer";
    }

    @Override
    public void init(Vertx vertx) {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                Files.readString(Path.of(Objects.requireNonNull(gate)));
                kill((IoEventLoop) ((VertxInternal) vertx).nettyEventLoopGroup().next());
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    private static void kill(IoEventLoop loop) throws IOException, InterruptedException {
        FileDescriptor[] pipe = FileDescriptor.pipe();
        loop.register(new Failing(pipe[0])).sync().getNow().submit(EpollIoOps.EPOLLIN);
        pipe[1].write(ByteBuffer.allocateDirect(1), 0, 1);
    }

    private record Failing(FileDescriptor fd) implements EpollIoHandle {
        @Override
        public void handle(IoRegistration source, IoEvent event) {
            throw new NoClassDefFoundError("of a test");
        }

        @Override
        public void close() {}
    }
}
