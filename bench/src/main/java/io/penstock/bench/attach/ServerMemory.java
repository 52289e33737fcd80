package io.penstock.bench.attach;

import io.penstock.bench.load.LoadedServer;
import io.penstock.bench.soak.SoakFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The memory of a server's process after a garbage collection.
 *
 * @param heapBytes used heap
 * @param otherBytes outside the heap, where Netty's buffers are
 */
public record ServerMemory(long heapBytes, long otherBytes) {

    /** The JVM option that the server needs for this. */
    public static final String OPTION = "-XX:NativeMemoryTracking=summary";

    private static final Pattern HEAP = Pattern.compile("heap +total[^\n]*used (\\d+)K");
    private static final Pattern OTHER = Pattern.compile("Other \\(reserved=\\d+KB, committed=(\\d+)KB");

    public static ServerMemory of(LoadedServer server) throws IOException, InterruptedException {
        ask(server, "GC.run");
        return new ServerMemory(
                kibibytes(HEAP, ask(server, "GC.heap_info")), kibibytes(OTHER, ask(server, "VM.native_memory")));
    }

    private static long kibibytes(Pattern pattern, String answer) {
        Matcher found = pattern.matcher(answer);
        if (!found.find()) {
            throw new SoakFailure("jcmd said nothing of " + pattern + ": " + answer);
        }
        return Long.parseLong(found.group(1)) << 10;
    }

    private static String ask(LoadedServer server, String command) throws IOException, InterruptedException {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(server.pid()),
                        command)
                .redirectErrorStream(true)
                .start();
        String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        jcmd.waitFor();
        return said;
    }
}
