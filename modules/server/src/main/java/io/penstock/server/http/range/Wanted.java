package io.penstock.server.http.range;

import java.util.List;

/** How much of something a request wants. */
public sealed interface Wanted {

    /** All of it: no range was asked for, or none that means something. */
    record Whole() implements Wanted {}

    /** These, none of which touches another, in the order in which they were asked for. */
    record Spans(List<ByteSpan> spans) implements Wanted {

        public Spans {
            spans = List.copyOf(spans);
            if (spans.isEmpty()) {
                throw new IllegalArgumentException("At least one span is wanted");
            }
        }
    }

    /** What cannot be given, and why. */
    record Nothing(String why) implements Wanted {}
}
