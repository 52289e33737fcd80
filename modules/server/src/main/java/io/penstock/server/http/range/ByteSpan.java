package io.penstock.server.http.range;

/** A range of bytes, both ends included and counted from 0, as in HTTP. */
public record ByteSpan(long first, long last) {

    public ByteSpan {
        if (first < 0 || last < first) {
            throw new IllegalArgumentException(
                    "A span begins at 0 or later and has a byte, unlike " + first + "-" + last);
        }
    }

    public long length() {
        return last - first + 1;
    }

    /** As a {@code Content-Range}. */
    public String of(long wholeLength) {
        return "bytes " + first + "-" + last + "/" + wholeLength;
    }
}
