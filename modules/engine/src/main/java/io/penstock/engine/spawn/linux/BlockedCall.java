package io.penstock.engine.spawn.linux;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The system call that a thread is blocked in, as /proc tells it, and the descriptors whose input would end it.
 *
 * @param told the line of /proc, the same as long as it is the same wait
 */
record BlockedCall(long pid, String thread, String told, Kind kind, List<Long> arguments) {
    /** The calls that wait for input, by what their arguments say. */
    private enum Kind {
        /** Of the descriptor that is the first argument. */
        READ,
        /** Of the descriptor that is the second. */
        SEND,
        SELECT,
        POLL,
        EPOLL,
        /** One that was interrupted by a stop goes on under another number; of those that wait for input only poll does. */
        RESTARTED
    }

    private static final Map<Long, Kind> KINDS = switch (System.getProperty("os.arch")) {
        case "amd64" ->
            Map.ofEntries(
                    Map.entry(0L, Kind.READ), // read
                    Map.entry(19L, Kind.READ), // readv
                    Map.entry(275L, Kind.READ), // splice
                    Map.entry(40L, Kind.SEND), // sendfile
                    Map.entry(23L, Kind.SELECT), // select
                    Map.entry(270L, Kind.SELECT), // pselect6
                    Map.entry(7L, Kind.POLL), // poll
                    Map.entry(271L, Kind.POLL), // ppoll
                    Map.entry(232L, Kind.EPOLL), // epoll_wait
                    Map.entry(281L, Kind.EPOLL), // epoll_pwait
                    Map.entry(441L, Kind.EPOLL), // epoll_pwait2
                    Map.entry(219L, Kind.RESTARTED));
        case "aarch64" ->
            Map.of(
                    63L, Kind.READ, // read
                    65L, Kind.READ, // readv
                    76L, Kind.READ, // splice
                    71L, Kind.SEND, // sendfile
                    72L, Kind.SELECT, // pselect6
                    73L, Kind.POLL, // ppoll
                    22L, Kind.EPOLL, // epoll_pwait
                    441L, Kind.EPOLL, // epoll_pwait2
                    128L, Kind.RESTARTED);
        default -> Map.of();
    };

    private static final int LINE_BYTES = 256;
    private static final int ARGUMENTS = 6;

    /** As many as select itself can take with the usual library; a terminal's are among the lowest. */
    private static final int SELECTED = 1024;

    /** Who polls more than these serves connections. */
    private static final int POLLED = 256;

    /** Some hundred descriptors, each with a line. */
    private static final int EPOLL_BYTES = 16 * 1024;

    private static final int POLLFD_BYTES = 8;

    /** POLLIN and POLLRDNORM, in epoll by the same numbers. */
    private static final int INPUT = 0x1 | 0x40;

    /** The line that tells of a thread's call; null if it may not be read, or the thread has gone. */
    static @Nullable String told(long pid, String thread) {
        return ProcFile.read("/proc/" + pid + "/task/" + thread + "/syscall", LINE_BYTES, LINE_BYTES);
    }

    /** Empty if it does not wait for any input, or is not blocked at all. */
    static Optional<BlockedCall> of(long pid, String thread, String told) {
        int end = told.indexOf(' ');
        if (end < 0 || !(told.charAt(0) >= '0' && told.charAt(0) <= '9')) {
            return Optional.empty(); // "running", or -1 for one that is blocked outside of a call
        }
        Kind kind = KINDS.get(Long.parseLong(told, 0, end, 10));
        if (kind == null) {
            return Optional.empty();
        }
        String[] fields = told.strip().split(" ");
        List<Long> arguments = new ArrayList<>(ARGUMENTS);
        for (int i = 1; i <= ARGUMENTS && i < fields.length; i++) {
            arguments.add(Long.parseUnsignedLong(fields[i], 2, fields[i].length(), 16));
        }
        return arguments.size() < ARGUMENTS
                ? Optional.empty()
                : Optional.of(new BlockedCall(pid, thread, told, kind, List.copyOf(arguments)));
    }

    /** Whether it is in the same wait still, so that what was read of its memory meanwhile is what it waits for. */
    boolean goesOn() {
        return told.equals(told(pid, thread))
                && ProcessTable.thread(pid, thread)
                        .map(ProcessTable.Row::sleeps)
                        .orElse(false);
    }

    /** Those whose input would end the wait, as far as they can be told. */
    List<Integer> descriptors() {
        return switch (kind) {
            case READ -> List.of(arguments.get(0).intValue());
            case SEND -> List.of(arguments.get(1).intValue());
            case SELECT -> selected();
            case POLL -> polled();
            case EPOLL -> watched();
            case RESTARTED -> isPoll() ? polled() : List.of();
        };
    }

    private List<Integer> selected() {
        int count = Math.min(SELECTED, Math.max(0, arguments.get(0).intValue()));
        // The kernel reads whole words of it.
        ByteBuffer set = memory(arguments.get(1), (count + 63) / 64 * 8);
        List<Integer> descriptors = new ArrayList<>();
        for (int fd = 0; fd < Math.min(count, set.limit() * 8); fd++) {
            if ((set.get(fd / 8) >> fd % 8 & 1) != 0) {
                descriptors.add(fd);
            }
        }
        return descriptors;
    }

    private List<Integer> polled() {
        int count = (int) Math.min(POLLED, arguments.get(1));
        ByteBuffer polled = memory(arguments.get(0), Math.max(0, count) * POLLFD_BYTES);
        List<Integer> descriptors = new ArrayList<>();
        while (polled.remaining() >= POLLFD_BYTES) {
            int fd = polled.getInt();
            short events = polled.getShort();
            polled.getShort();
            if (fd >= 0 && (events & INPUT) != 0) {
                descriptors.add(fd);
            }
        }
        return descriptors;
    }

    /** Lines such as {@code tfd:        5 events:       19 data: …}. */
    private List<Integer> watched() {
        String info = ProcFile.read("/proc/" + pid + "/fdinfo/" + arguments.get(0), EPOLL_BYTES, EPOLL_BYTES);
        List<Integer> descriptors = new ArrayList<>();
        for (String line : info == null ? new String[0] : info.split("\n")) {
            String[] words = line.trim().split("[:\\s]+");
            if (words.length > 3 && words[0].equals("tfd") && (Long.parseLong(words[3], 16) & INPUT) != 0) {
                descriptors.add(Integer.parseInt(words[1]));
            }
        }
        return descriptors;
    }

    private boolean isPoll() {
        String where = ProcFile.read("/proc/" + pid + "/task/" + thread + "/wchan", LINE_BYTES, LINE_BYTES);
        return where != null && where.contains("poll");
    }

    /** A piece of its memory, empty if it has none there. */
    private ByteBuffer memory(long address, int bytes) {
        if (address <= 0 || bytes == 0) {
            return ByteBuffer.allocate(0);
        }
        try (var memory = new RandomAccessFile("/proc/" + pid + "/mem", "r")) {
            byte[] read = new byte[bytes];
            memory.seek(address);
            int length = memory.read(read);
            return ByteBuffer.wrap(read, 0, Math.max(0, length)).slice().order(ByteOrder.LITTLE_ENDIAN);
        } catch (IOException e) {
            return ByteBuffer.allocate(0); // it has gone, or has other memory by now
        }
    }
}
