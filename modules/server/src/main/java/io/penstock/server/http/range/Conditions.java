package io.penstock.server.http.range;

import java.util.List;

/**
 * The conditions under which a request wants an answer, as the values of its headers. There are none by date: what has no
 * {@code Last-Modified} leaves those aside.
 */
public record Conditions(List<String> ifMatch, List<String> ifNoneMatch, List<String> ifRange) {

    /** What is to be done with a request to read. */
    public enum Verdict {
        ANSWER,
        NOT_MODIFIED,
        FAILED
    }

    public Conditions {
        ifMatch = List.copyOf(ifMatch);
        ifNoneMatch = List.copyOf(ifNoneMatch);
        ifRange = List.copyOf(ifRange);
    }

    /** For something that is there, in the order in which the RFC has them asked. */
    public Verdict of(EntityTag now) {
        if (!ifMatch.isEmpty() && !isAny(ifMatch) && tags(ifMatch).stream().noneMatch(now::isStrongly)) {
            return Verdict.FAILED;
        }
        if (isAny(ifNoneMatch) || tags(ifNoneMatch).stream().anyMatch(now::isWeakly)) {
            return Verdict.NOT_MODIFIED;
        }
        return Verdict.ANSWER;
    }

    /** Whether ranges are wanted of this state; if not, the whole is. */
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
