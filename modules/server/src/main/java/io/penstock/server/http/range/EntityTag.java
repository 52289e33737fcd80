package io.penstock.server.http.range;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Identifies a state of a resource: byte for byte if strong, by meaning if weak. */
public record EntityTag(boolean weak, String opaque) {

    private static final String OPAQUE = "[!\\x23-\\x7e\\x80-\\xff]*";
    private static final Pattern WHOLE = Pattern.compile(OPAQUE);
    private static final Pattern ONE = Pattern.compile("(W/)?\"(" + OPAQUE + ")\"");
    private static final Pattern NEXT = Pattern.compile("[ \\t]*(?:(W/)?\"(" + OPAQUE + ")\")?[ \\t]*(?:,|$)");

    public EntityTag {
        if (!WHOLE.matcher(opaque).matches()) {
            throw new IllegalArgumentException(
                    "A tag has visible characters other than quotes, unlike \"" + opaque + "\"");
        }
    }

    public static EntityTag strong(String opaque) {
        return new EntityTag(false, opaque);
    }

    public static EntityTag weak(String opaque) {
        return new EntityTag(true, opaque);
    }

    /** The tags of a list; empty if it is malformed. */
    static List<EntityTag> list(String value) {
        var tags = new ArrayList<EntityTag>();
        Matcher next = NEXT.matcher(value);
        int at = 0;
        while (at < value.length()) {
            if (!next.region(at, value.length()).lookingAt()) {
                return List.of();
            }
            if (next.group(2) != null) {
                tags.add(new EntityTag(next.group(1) != null, next.group(2)));
            }
            at = next.end();
        }
        return tags;
    }

    /** The tag of a text; empty if it is something else, such as a date. */
    static List<EntityTag> one(String value) {
        Matcher tag = ONE.matcher(value);
        return tag.matches() ? List.of(new EntityTag(tag.group(1) != null, tag.group(2))) : List.of();
    }

    boolean isStrongly(EntityTag other) {
        return !weak && equals(other);
    }

    boolean isWeakly(EntityTag other) {
        return opaque.equals(other.opaque);
    }

    @Override
    public String toString() {
        return (weak ? "W/" : "") + "\"" + opaque + "\"";
    }
}
