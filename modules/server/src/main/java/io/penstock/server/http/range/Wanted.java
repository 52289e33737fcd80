package io.penstock.server.http.range;

import java.util.List;

/** The part of a resource that a request wants. */
public sealed interface Wanted {

    /** All of it: no range was requested, or none that is valid. */
    record Whole() implements Wanted {}

    /** These spans, none of which touches another, in the requested order. */
    record Spans(List<ByteSpan> spans) implements Wanted {

        public Spans {
            spans = List.copyOf(spans);
            if (spans.isEmpty()) {
                throw new IllegalArgumentException("At least one span is wanted");
            }
        }
    }

    /** Nothing can be sent, with the reason. */
    record Nothing(String why) implements Wanted {}
}
