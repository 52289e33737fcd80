package io.penstock.engine.log.postgres;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.zip.CRC32;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * The programs of Postgres, unpacked once from the library that contains them; the directory's name identifies its
 * content.
 */
record PostgresInstall(Path home) {

    /** The major version of the binaries in pom.xml; a data directory belongs to one major version. */
    static final int MAJOR = 18;

    private static final String PARTIAL = "unpacking-";

    Path program(String name) {
        return home.resolve("bin").resolve(name);
    }

    static PostgresInstall in(Path directory) throws PostgresUnavailable {
        URL archive = archive(System.getProperty("os.name"), System.getProperty("os.arch"));
        try {
            Path home = directory.resolve("postgres-" + MAJOR + "-" + fingerprint(archive));
            if (!Files.isDirectory(home)) {
                Directories.create(directory);
                removeAbandoned(directory);
                unpack(archive, directory, home);
            }
            return new PostgresInstall(home);
        } catch (IOException e) {
            throw new PostgresUnavailable(
                    "Postgres could not be unpacked into " + directory + ": " + Directories.reason(e) + ".", e);
        }
    }

    static URL archive(String os, String architecture) throws PostgresUnavailable {
        String name = !os.equals("Linux")
                ? ""
                : switch (architecture) {
                    case "amd64", "x86_64" -> "/postgres-linux-x86_64.txz";
                    case "aarch64", "arm64" -> "/postgres-linux-arm_64.txz";
                    default -> "";
                };
        if (name.isEmpty()) {
            throw new PostgresUnavailable("The embedded Postgres runs on Linux on x86-64 and aarch64, and this is " + os
                    + " on " + architecture + ": name a Postgres of yours with --database.");
        }
        URL archive = PostgresInstall.class.getResource(name);
        if (archive == null) {
            throw new PostgresUnavailable("This build of Penstock carries no Postgres for " + architecture + " (" + name
                    + " is missing): name a Postgres of yours with --database.");
        }
        return archive;
    }

    /** The jar already has the checksum of its entry, so a start need not read 15 MB for it. */
    private static String fingerprint(URL archive) throws IOException {
        URLConnection connection = archive.openConnection();
        if (connection instanceof JarURLConnection jar && jar.getJarEntry() != null) {
            long crc = jar.getJarEntry().getCrc();
            if (crc != -1) {
                return String.format("%08x", crc);
            }
        }
        var crc = new CRC32();
        try (InputStream in = archive.openStream()) {
            crc.update(in.readAllBytes());
        }
        return String.format("%08x", crc.getValue());
    }

    /** The first process to rename wins; another that unpacked meanwhile deletes its own copy. */
    private static void unpack(URL archive, Path directory, Path home) throws IOException {
        Path partial = Files.createTempDirectory(directory, PARTIAL);
        try {
            Files.setPosixFilePermissions(partial, PosixFilePermissions.fromString("rwxr-xr-x"));
            try (var tar =
                    new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(archive.openStream())))) {
                for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                    if (!isForBuilding(entry.getName())) {
                        unpack(entry, tar, partial);
                    }
                }
            }
            // A power cut must not leave programs of zero length under the final name.
            Programs.run(List.of("sync", "-f", partial.toString()));
            Files.move(partial, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | PostgresUnavailable e) {
            if (!Files.isDirectory(home)) {
                throw e instanceof IOException io ? io : new IOException(e.getMessage(), e);
            }
        } finally {
            Directories.delete(partial);
        }
    }

    private static void unpack(TarArchiveEntry entry, InputStream content, Path root) throws IOException {
        Path path = root.resolve(entry.getName()).normalize();
        if (!path.startsWith(root)) {
            throw new IOException("the archive names a path outside of itself, " + entry.getName());
        }
        if (entry.isDirectory()) {
            Files.createDirectories(path);
        } else {
            Files.createDirectories(path.getParent());
            if (entry.isSymbolicLink()) {
                Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
                return;
            }
            Files.copy(content, path);
        }
        // Independent of this process' umask: another account may have to run the programs.
        boolean program = entry.isDirectory() || (entry.getMode() & 0100) != 0;
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(program ? "rwxr-xr-x" : "rw-r--r--"));
    }

    private static boolean isForBuilding(String name) {
        return name.endsWith(".a") || name.contains("/pkgconfig/") || name.startsWith("include/");
    }

    private static void removeIfOlder(Path partial, FileTime limit) throws IOException {
        try {
            if (Files.getLastModifiedTime(partial).compareTo(limit) < 0) {
                Directories.delete(partial);
            }
        } catch (NoSuchFileException e) {
            // Another process removes it, or has finished unpacking it.
        }
    }

    /** Left by processes that were killed while unpacking; an hour is far more than unpacking takes. */
    private static void removeAbandoned(Path directory) throws IOException {
        var limit = FileTime.from(Instant.now().minus(1, ChronoUnit.HOURS));
        try (var found = Files.newDirectoryStream(directory, PARTIAL + "*")) {
            for (Path partial : found) {
                removeIfOlder(partial, limit);
            }
        }
    }
}
