package io.penstock.engine.policy;

import org.jspecify.annotations.Nullable;

/**
 * The status of the rules.
 *
 * @param inForce the name of the policy in force
 * @param broken why the current file is not in force but an older version of it is; null if the current one is
 */
public record PolicyStatus(String inForce, @Nullable String broken) {}
