package io.penstock.engine.spawn.linux;

import io.penstock.engine.spawn.linux.libc.PosixSpawn;
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
 * A cgroup2 folder below this server's own cgroup, in which each program gets a cgroup. Its name identifies the server, so that the
 * next server can kill the processes that a dead one has left.
 */
public final class Cgroups implements AutoCloseable {
    /** Process numbers are valid only within their namespace, and two namespaces may see the same cgroups. */
    private static final String PID_NAMESPACE = pidNamespace();

    private static final Pattern OURS = Pattern.compile("penstock-" + PID_NAMESPACE + "-(\\d{1,18})-(\\d{1,18})-\\w+");

    private final Path folder;
    private final AtomicLong created = new AtomicLong();
    private final Queue<Path> emptying = new ConcurrentLinkedQueue<>();

    private volatile boolean closed;

    private Cgroups(Path folder) {
        this.folder = folder;
    }

    /** Finds a place where cgroups can be created, verified with a real child in one. Empty if there is none. */
    public static Optional<Cgroups> open() {
        if (!PosixSpawn.knowsCgroups()) {
            // Moving a child after its start leaves it time to fork. Holding it until it is moved takes 15 ms, and
            // leaves a stuck copy of this process behind if the server is killed at that moment.
            return Optional.empty();
        }
        for (Path place : places()) {
            killLeftovers(place);
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

    /** Empty if the kernel creates no more: the program's containment is then its session, and reported as such. */
    Optional<Cgroup> create() {
        removeEmptied();
        Path one = folder.resolve("run-" + created.incrementAndGet());
        try {
            Files.createDirectory(one);
            return Optional.of(new Cgroup(one, this));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Removes a cgroup now, or once its last process has ended. */
    void remove(Path one) {
        emptying.add(one);
        removeEmptied();
    }

    /** Processes that are still alive in a cgroup continue; the next server kills them. */
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

    /** This process's cgroup in every mounted cgroup2; the mount itself if there is none. */
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

    private static void killLeftovers(Path place) {
        for (Path folder : below(place)) {
            var name = OURS.matcher(folder.getFileName().toString());
            if (name.matches() && startOf(Long.parseLong(name.group(1))) != Long.parseLong(name.group(2))) {
                for (Path one : below(folder)) {
                    Cgroup.kill(one);
                    one.toFile().delete();
                }
                folder.toFile().delete(); // or at the next start, if the last process is still ending
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
