package io.penstock.server.http.range;

import java.util.List;

/**
 * Several spans in one body, {@code multipart/byteranges}: the text before each of them and after the last.
 *
 * @param wholeLength of the resource that contains the spans
 */
public record Multipart(List<ByteSpan> spans, String boundary, String contentType, long wholeLength) {

    public Multipart {
        spans = List.copyOf(spans);
    }

    public String type() {
        return "multipart/byteranges; boundary=" + boundary;
    }

    /** The text before a span; ASCII. */
    public String before(int index) {
        return (index == 0 ? "" : "\r\n") + "--" + boundary + "\r\nContent-Type: " + contentType + "\r\nContent-Range: "
                + spans.get(index).of(wholeLength) + "\r\n\r\n";
    }

    public String end() {
        return "\r\n--" + boundary + "--\r\n";
    }

    /** The length of the whole body. */
    public long length() {
        long length = end().length();
        for (int i = 0; i < spans.size(); i++) {
            length += before(i).length() + spans.get(i).length();
        }
        return length;
    }
}
