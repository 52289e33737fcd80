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
 * The system call that a thread is blocked in, according to /proc, and the descriptors whose input would end it.
 *
 * @param readSyscall the line of /proc, which stays the same during one wait
 */
record BlockedCall(long pid, String thread, String readSyscall, Kind kind, List<Long> arguments) {
    /** The calls that wait for input, by the meaning of their arguments. */
    private enum Kind {
        /** The descriptor is the first argument. */
        READ,
        /** The descriptor is the second argument. */
        SEND,
        SELECT,
        POLL,
        EPOLL,
        /** A call interrupted by a stop continues under another number; of the calls that wait for input only poll does. */
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

    /** FD_SETSIZE of glibc; a terminal's descriptors are among the lowest. */
    private static final int MAX_SELECTED = 1024;

    /** A program that polls more than this serves connections. */
    private static final int MAX_POLLED = 256;

    /** Some hundred descriptors, with a line each. */
    private static final int EPOLL_BYTES = 16 * 1024;

    private static final int POLLFD_BYTES = 8;

    /** POLLIN and POLLRDNORM; epoll uses the same numbers. */
    private static final int INPUT = 0x1 | 0x40;

    /** The line of a thread's call; null if it may not be read or the thread has ended. */
    static @Nullable String readSyscall(long pid, String thread) {
        return ProcFile.read("/proc/" + pid + "/task/" + thread + "/syscall", LINE_BYTES, LINE_BYTES);
    }

    /** Empty if the thread does not wait for input, or is not blocked at all. */
    static Optional<BlockedCall> of(long pid, String thread, String syscall) {
        int end = syscall.indexOf(' ');
        if (end < 0 || !(syscall.charAt(0) >= '0' && syscall.charAt(0) <= '9')) {
            return Optional.empty(); // "running", or -1 for a thread blocked outside of a call
        }
        Kind kind = KINDS.get(Long.parseLong(syscall, 0, end, 10));
        if (kind == null) {
            return Optional.empty();
        }
        String[] fields = syscall.strip().split(" ");
        List<Long> arguments = new ArrayList<>(ARGUMENTS);
        for (int i = 1; i <= ARGUMENTS && i < fields.length; i++) {
            arguments.add(Long.parseUnsignedLong(fields[i], 2, fields[i].length(), 16));
        }
        return arguments.size() < ARGUMENTS
                ? Optional.empty()
                : Optional.of(new BlockedCall(pid, thread, syscall, kind, List.copyOf(arguments)));
    }

    /** Whether the thread is still in the same wait, so that the memory read meanwhile belongs to it. */
    boolean isStillBlocked() {
        return readSyscall.equals(readSyscall(pid, thread))
                && ProcessTable.thread(pid, thread)
                        .map(ProcessTable.Row::sleeps)
                        .orElse(false);
    }

    /** The descriptors whose input would end the wait, as far as they can be determined. */
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
        int count = Math.min(MAX_SELECTED, Math.max(0, arguments.get(0).intValue()));
        // The kernel reads whole words of the set.
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
        int count = (int) Math.min(MAX_POLLED, arguments.get(1));
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

    /** Part of the process's memory; empty if that is not mapped. */
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
            return ByteBuffer.allocate(0); // the process has ended, or has other memory by now
        }
    }
}
