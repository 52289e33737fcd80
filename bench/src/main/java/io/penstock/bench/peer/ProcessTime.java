package io.penstock.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Processor time of processes in nanoseconds, with the resolution of the kernel's clock ticks, a hundredth of a second.
 */
public final class ProcessTime {

    private static final long NANOS_PER_TICK = 10_000_000;

    private ProcessTime() {}

    /** Of one process with all its threads; 0 after it has ended. */
    public static long of(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
            List<String> fields =
                    List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
            return (Long.parseLong(fields.get(11)) + Long.parseLong(fields.get(12))) * NANOS_PER_TICK;
        } catch (IOException e) {
            return 0;
        }
    }

    /** Of a process and its descendants. */
    public static long ofTree(ProcessHandle process) {
        return Stream.concat(Stream.of(process), process.descendants())
                .mapToLong(ProcessTime::of)
                .sum();
    }
}
