package io.penstock.engine.spawn.linux;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/**
 * A folder of cgroup2 below this server's own, in which each program gets its cgroup. Its name holds who made it, so that the next
 * server ends what a dead one has left.
 */
public final class Cgroups implements AutoCloseable {
    /** The numbers of processes mean something in their namespace only, and two of them may see the same cgroups. */
    private static final String PID_NAMESPACE = pidNamespace();

    private static final Pattern OURS = Pattern.compile("penstock-" + PID_NAMESPACE + "-(\\d{1,18})-(\\d{1,18})-\\w+");

    private final Path folder;
    private final AtomicLong made = new AtomicLong();
    private final Queue<Path> emptying = new ConcurrentLinkedQueue<>();

    private volatile boolean closed;

    private Cgroups(Path folder) {
        this.folder = folder;
    }

    /** Finds where cgroups can be made, and believes it only after a child was seen in one. Empty if there is no such place. */
    public static Optional<Cgroups> open() {
        if (Libc.ATTRIBUTES_CGROUP.isEmpty()) {
            // To move a child there after its start leaves it time to fork away; to hold it until it is moved leaves a
            // stuck copy of this process behind when a server is killed in that moment, and takes 15 ms.
            return Optional.empty();
        }
        for (Path place : places()) {
            endLeftovers(place);
            long pid = ProcessHandle.current().pid();
            Path folder = place.resolve("penstock-" + PID_NAMESPACE + "-" + pid + "-" + startOf(pid) + "-"
                    + Long.toString(System.nanoTime(), Character.MAX_RADIX));
            try {
                Files.createDirectory(folder);
            } catch (IOException e) {
                continue; // read-only, or another's
            }
            var cgroups = new Cgroups(folder);
            if (CgroupProbe.succeeds(cgroups)) {
                return Optional.of(cgroups);
            }
            cgroups.close();
        }
        return Optional.empty();
    }

    /** Empty when the kernel makes no more: the program is then held by its session, and says so. */
    Optional<Cgroup> create() {
        removeEmptied();
        Path one = folder.resolve("run-" + made.incrementAndGet());
        try {
            Files.createDirectory(one);
            return Optional.of(new Cgroup(one, this));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Now, or as soon as the last one in it is gone. */
    void remove(Path one) {
        emptying.add(one);
        removeEmptied();
    }

    /** What is still alive in a program's cgroup goes on; the next server ends it. */
    @Override
    public void close() {
        closed = true;
        removeEmptied();
    }

    private void removeEmptied() {
        for (Iterator<Path> each = emptying.iterator(); each.hasNext(); ) {
            Path one = each.next();
            if (one.toFile().delete() || !Files.exists(one)) {
                each.remove();
            }
        }
        if (closed) {
            folder.toFile().delete(); // once it is empty
        }
    }

    /** Our own cgroup in every mounted cgroup2, the mount itself where there is none. */
    private static List<Path> places() {
        List<Path> places = new ArrayList<>();
        try {
            String own = Files.readAllLines(Path.of("/proc/self/cgroup")).stream()
                    .filter(line -> line.startsWith("0::/"))
                    .map(line -> line.substring("0::/".length()))
                    .findFirst()
                    .orElse("");
            for (String mount : Files.readAllLines(Path.of("/proc/self/mounts"))) {
                String[] words = mount.split(" ");
                if (words[2].equals("cgroup2")) {
                    places.add(Path.of(words[1]).resolve(own));
                }
            }
        } catch (IOException e) {
            return List.of();
        }
        return places;
    }

    private static void endLeftovers(Path place) {
        for (Path folder : below(place)) {
            var name = OURS.matcher(folder.getFileName().toString());
            if (name.matches() && startOf(Long.parseLong(name.group(1))) != Long.parseLong(name.group(2))) {
                for (Path one : below(folder)) {
                    Cgroup.kill(one);
                    one.toFile().delete();
                }
                folder.toFile().delete(); // or the next time, if the last one is still on its way out
            }
        }
    }

    private static String pidNamespace() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/ns/pid"))
                    .toString()
                    .replaceAll("\\D", "");
        } catch (IOException e) {
            return "0";
        }
    }

    private static long startOf(long pid) {
        return ProcessTable.row(pid).map(ProcessTable.Row::startTicks).orElse(-1L);
    }

    private static List<Path> below(Path folder) {
        List<Path> folders = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, Files::isDirectory)) {
            entries.forEach(folders::add);
        } catch (IOException e) {
            return List.of();
        }
        return folders;
    }
}
