package io.penstock.engine.spawn.linux;

import io.penstock.engine.spawn.linux.libc.CallFailed;
import io.penstock.engine.spawn.linux.libc.Children;
import io.penstock.engine.spawn.linux.libc.Descriptors;
import io.penstock.engine.spawn.linux.libc.PosixSpawn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The cgroup of one program: all processes that it starts are born in it and leave it only as the kernel allows. */
final class Cgroup {
    private final Path folder;
    private final Cgroups home;

    Cgroup(Path folder, Cgroups home) {
        this.folder = folder;
        this.home = home;
    }

    /** The start of a child. */
    interface Start {
        int start() throws CallFailed;
    }

    /** Starts a child in this cgroup. */
    int start(PosixSpawn spawn, Start start) throws CallFailed {
        int here = (int) CallFailed.check("open", Descriptors.openToRead(folder.toString()));
        try {
            spawn.into(here);
            return start.start();
        } finally {
            Descriptors.close(here);
        }
    }

    /** Kills all processes at once, so that none can escape by a fork. */
    void kill() {
        kill(folder);
    }

    List<ProcessTable.Row> members() {
        return members(folder);
    }

    void remove() {
        home.remove(folder);
    }

    static void kill(Path folder) {
        try {
            Files.writeString(folder.resolve("cgroup.kill"), "1");
        } catch (IOException e) {
            // The cgroup has been removed, so it is empty; or the kernel is older than 5.14.
            members(folder).forEach(row -> Children.kill((int) row.pid(), KillLoop.SIGKILL));
        }
    }

    /** The live processes: zombies are not listed. */
    static List<ProcessTable.Row> members(Path folder) {
        try {
            return Files.readAllLines(folder.resolve("cgroup.procs")).stream()
                    .flatMap(pid -> ProcessTable.row(Long.parseLong(pid)).stream())
                    .filter(row -> !row.ended())
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
