package io.penstock.engine.policy;

import org.jspecify.annotations.Nullable;

/**
 * How it stands with the rules.
 *
 * @param inForce what is asked now
 * @param broken why the file as it is now is not in force, and an older state of it is; null if all is well
 */
public record PolicyStanding(String inForce, @Nullable String broken) {}
