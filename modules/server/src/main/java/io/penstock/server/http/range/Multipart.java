package io.penstock.server.http.range;

import java.util.List;

/**
 * Several spans in one body, {@code multipart/byteranges}: what stands before each of them, and behind the last.
 *
 * @param wholeLength of what these are spans of
 */
public record Multipart(List<ByteSpan> spans, String boundary, String contentType, long wholeLength) {

    public Multipart {
        spans = List.copyOf(spans);
    }

    public String type() {
        return "multipart/byteranges; boundary=" + boundary;
    }

    /** What stands before a span; ASCII. */
    public String before(int index) {
        return (index == 0 ? "" : "\r\n") + "--" + boundary + "\r\nContent-Type: " + contentType + "\r\nContent-Range: "
                + spans.get(index).of(wholeLength) + "\r\n\r\n";
    }

    public String end() {
        return "\r\n--" + boundary + "--\r\n";
    }

    /** Of the body as a whole. */
    public long length() {
        long length = end().length();
        for (int i = 0; i < spans.size(); i++) {
            length += before(i).length() + spans.get(i).length();
        }
        return length;
    }
}
