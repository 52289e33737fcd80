package io.penstock.engine.log.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The Unix account that Postgres runs under: this process' account, or {@code nobody} if this process is root, since
 * Postgres refuses to run as root.
 */
record Account(int uid, int gid, boolean reduced, Path setsid, Path setpriv) {

    static Account forPostgres() throws PostgresUnavailable {
        Path setsid = Programs.find("setsid");
        Path setpriv = Programs.find("setpriv");
        try {
            int uid = effective("Uid:");
            if (uid != 0) {
                return new Account(uid, effective("Gid:"), false, setsid, setpriv);
            }
            // initdb looks its account up by name, so passwd must have it; the name of its group differs between
            // distributions (nogroup, nobody), hence the numbers.
            for (String line : Files.readAllLines(Path.of("/etc/passwd"))) {
                String[] fields = line.split(":", -1);
                if (fields.length > 3 && fields[0].equals("nobody")) {
                    return new Account(Integer.parseInt(fields[2]), Integer.parseInt(fields[3]), true, setsid, setpriv);
                }
            }
        } catch (IOException | NumberFormatException e) {
            throw new PostgresUnavailable("The account of this process cannot be read from /proc and /etc/passwd.", e);
        }
        throw new PostgresUnavailable("Postgres does not run as root and there is no account 'nobody' in /etc/passwd:"
                + " add one, run Penstock as another user, or name a Postgres of yours with --database.");
    }

    private static int effective(String name) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith(name)) {
                return Integer.parseInt(line.substring(name.length()).trim().split("\\s+")[1]);
            }
        }
        throw new IOException("/proc/self/status has no line " + name);
    }

    /**
     * The command that runs a program under this account, in a session of its own (a Ctrl-C in the terminal is for
     * Penstock, which then stops Postgres in order), to be ended when the thread that starts it ends.
     */
    List<String> command(Path program, String... arguments) {
        var command = new ArrayList<String>();
        command.add(setsid.toString());
        command.addAll(reducing());
        command.add(program.toString());
        command.addAll(List.of(arguments));
        return command;
    }

    private List<String> reducing() {
        var command = new ArrayList<String>();
        command.add(setpriv.toString());
        if (reduced) {
            command.addAll(List.of("--reuid=" + uid, "--regid=" + gid, "--clear-groups"));
        }
        // SIGINT is Postgres' fast shutdown.
        command.add("--pdeathsig=INT");
        return command;
    }

    void giveOwnership(Path path) throws IOException {
        if (reduced) {
            Files.setAttribute(path, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
            Files.setAttribute(path, "unix:gid", gid, LinkOption.NOFOLLOW_LINKS);
        }
    }

    boolean owns(Path path) throws IOException {
        return owner(path) == uid;
    }

    /**
     * Whether this account owns it. As root, the files that this or an earlier process created are handed over before
     * use.
     */
    boolean isOwner(Path path) throws IOException {
        int owner = owner(path);
        return owner == uid || reduced && owner == 0;
    }

    private static int owner(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }

    /** A path below a directory that is closed to {@code nobody} would fail later, with a confusing message. */
    void requireAccess(Path path) throws PostgresUnavailable {
        if (!reduced) {
            return;
        }
        var test = reducing();
        test.addAll(List.of("test", "-x", path.toString()));
        Programs.Finished finished = Programs.run(test);
        if (finished.exit() == 0) {
            return;
        }
        if (!finished.output().isBlank()) {
            throw new PostgresUnavailable(
                    "Postgres does not run as root and changing to the account 'nobody' failed (" + finished.lastLine()
                            + "): run Penstock as another user, or name a Postgres of yours with --database.");
        }
        throw new PostgresUnavailable("Postgres runs as 'nobody' when Penstock runs as root, and " + closedPart(path)
                + " is closed to it: choose a data directory elsewhere (such as --data /var/lib/penstock), open that"
                + " one with chmod o+x, or run Penstock as another user.");
    }

    private static Path closedPart(Path path) {
        Path part = path.getRoot();
        for (Path name : path) {
            part = part.resolve(name);
            try {
                int mode = (Integer) Files.getAttribute(part, "unix:mode");
                if ((mode & 1) == 0) {
                    return part;
                }
            } catch (IOException e) {
                return part;
            }
        }
        return path;
    }
}
