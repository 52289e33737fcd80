package io.penstock.engine.policy;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The source of the rules.
 *
 * @param file a file of rules that come before those of the profile; null for none
 */
public record PolicySource(Profile profile, @Nullable Path file) {

    public static final PolicySource LOCAL = new PolicySource(Profile.LOCAL, null);

    /** Blocks. Throws {@link PolicyFileBroken}. */
    public Policy read() {
        Path rules = file;
        return profile.with(rules == null ? List.of() : PolicyFile.read(rules, profile));
    }
}
