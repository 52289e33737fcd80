package io.penstock.frames;

import java.util.regex.Pattern;

/** The name of one stream of frames. On some edges the caller chooses the id, so its form is checked here. */
public record StreamId(StreamKind kind, String id) {

    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@-]*");

    public StreamId {
        if (id.length() > Limits.STREAM_ID_CHARS) {
            throw new IllegalArgumentException(
                    "A stream id has at most " + Limits.STREAM_ID_CHARS + " characters, this one has " + id.length());
        }
        if (!FORM.matcher(id).matches()) {
            throw new IllegalArgumentException("A stream id starts with a letter or digit and continues with those or"
                    + " one of . _ : @ -, unlike \"" + id + "\"");
        }
    }

    public static StreamId task(String id) {
        return new StreamId(StreamKind.TASK, id);
    }

    public static StreamId session(String id) {
        return new StreamId(StreamKind.SESSION, id);
    }

    @Override
    public String toString() {
        return kind.wireName() + " " + id;
    }
}
