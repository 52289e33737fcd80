package io.penstock.server.http.range;

import java.util.List;

/**
 * The conditions of a request, as the values of its headers. Conditions by date are ignored, since there is no {@code
 * Last-Modified}.
 */
public record Conditions(List<String> ifMatch, List<String> ifNoneMatch, List<String> ifRange) {

    /** How to answer a conditional read. */
    public enum ConditionResult {
        ANSWER,
        NOT_MODIFIED,
        FAILED
    }

    public Conditions {
        ifMatch = List.copyOf(ifMatch);
        ifNoneMatch = List.copyOf(ifNoneMatch);
        ifRange = List.copyOf(ifRange);
    }

    /** Evaluates the conditions for an existing resource, in the order of the RFC. */
    public ConditionResult of(EntityTag now) {
        if (!ifMatch.isEmpty() && !isAny(ifMatch) && tags(ifMatch).stream().noneMatch(now::isStrongly)) {
            return ConditionResult.FAILED;
        }
        if (isAny(ifNoneMatch) || tags(ifNoneMatch).stream().anyMatch(now::isWeakly)) {
            return ConditionResult.NOT_MODIFIED;
        }
        return ConditionResult.ANSWER;
    }

    /** Whether the requested ranges apply to this state; if not, the whole is sent. */
    public boolean wantRangesOf(EntityTag now) {
        return ifRange.isEmpty()
                || (ifRange.size() == 1
                        && EntityTag.one(ifRange.getFirst().strip()).stream().anyMatch(now::isStrongly));
    }

    private static boolean isAny(List<String> values) {
        return values.size() == 1 && values.getFirst().strip().equals("*");
    }

    private static List<EntityTag> tags(List<String> values) {
        return EntityTag.list(String.join(",", values));
    }
}
