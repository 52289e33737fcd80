package io.penstock.engine.spawn.linux.libc;

import java.lang.foreign.Linker;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Checks whether the calls of this package work here. Use it before any other class of the package. */
public final class Platform {
    /** Functions that not every C library has; all others are POSIX. */
    private static final List<String> UNCOMMON =
            List.of("posix_spawn_file_actions_addclosefrom_np", "posix_spawn_file_actions_addchdir_np", "gettid");

    private Platform() {}

    /** Why the calls do not work here, as a sentence; empty if they do. */
    public static Optional<String> whyNot() {
        String system = System.getProperty("os.name");
        String architecture = System.getProperty("os.arch");
        if (!system.equals("Linux") || !Layouts.supports(architecture)) {
            return Optional.of("The native spawner supports Linux on x86-64 and aarch64, but this is " + system + " on "
                    + architecture + ".");
        }
        var missing = new TreeSet<String>();
        for (String name : UNCOMMON) {
            if (Linker.nativeLinker().defaultLookup().find(name).isEmpty()) {
                missing.add(name);
            }
        }
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "The native spawner needs glibc 2.34 or newer, but this C library has no " + missing + ".");
    }
}
