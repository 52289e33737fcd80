package io.penstock.server.http.range;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9110, section 14. */
class RangeHeaderTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // The examples of section 14.1.2, for a representation of 10000 bytes.
                "10000 | bytes=0-499                     | 0-499",
                "10000 | bytes=500-999                   | 500-999",
                "10000 | bytes=-500                      | 9500-9999",
                "10000 | bytes=9500-                     | 9500-9999",
                "10000 | bytes=0-0,-1                    | 0-0 9999-9999",
                "10000 | bytes= 0-999, 4500-5499, -1000  | 0-999 4500-5499 9000-9999",
                "10000 | bytes=500-600,601-999           | 500-999",
                "10000 | bytes=500-700,601-999           | 500-999",
                // Ends.
                "10    | bytes=0-                        | 0-9",
                "10    | bytes=9-                        | 9-9",
                "10    | bytes=5-99                      | 5-9",
                "10    | bytes=-10                       | 0-9",
                "10    | bytes=-99                       | 0-9",
                "10    | bytes=0-9                       | 0-9",
                "1     | bytes=0-0                       | 0-0",
                "10    | bytes=000000000000000000001-02  | 1-2",
                "10    | bytes=3-99999999999999999999999 | 3-9",
                "10    | bytes=-99999999999999999999999  | 0-9",
                "10    | bytes=0-9223372036854775807     | 0-9",
                // Some that are there and some that are not.
                "10    | bytes=20-30,1-2                 | 1-2",
                "10    | bytes=-0,1-2                    | 1-2",
                // The order is kept; ranges that overlap or touch become one in the place of the first.
                "10    | bytes=8-9,0-1                   | 8-9 0-1",
                "10    | bytes=8-9,0-1,6-7               | 6-9 0-1",
                "10    | bytes=0-1,8-9,1-3               | 0-3 8-9",
                "10    | bytes=0-0,2-2,1-1               | 0-2",
                "10    | bytes=4-5,4-5,4-5               | 4-5",
                "10    | bytes=0-9,1-2,3-4               | 0-9",
                // How it may be written.
                "10    | BYTES=1-2                       | 1-2",
                "10    | bytes=,1-2,,  ,4-5,             | 1-2 4-5",
            })
    void spansAreTheRequestedOnes(long length, String header, String expected) {
        var spans = assertInstanceOf(Wanted.Spans.class, RangeHeader.read(List.of(header), length));
        assertEquals(
                expected,
                spans.spans().stream()
                        .map(span -> span.first() + "-" + span.last())
                        .collect(Collectors.joining(" ")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "bytes",
                "bytes=",
                "bytes=,",
                "bytes=-",
                "bytes=a-b",
                "bytes=1",
                "bytes=2-1",
                "bytes=99999999999999999999-0",
                "bytes=1-2-3",
                "bytes=--1",
                "bytes=+1-2",
                "bytes=1 -2",
                "bytes=1- 2",
                "bytes=0x1-2",
                "bytes=1-2;3-4",
                "bytes=1-2 3-4",
                "bytes=1-2,x",
                "bytes=2-1,3-4",
                "bytes =1-2",
                "bytes:1-2",
                "byte=1-2",
                "lines=1-2",
                "none",
                "bytes=\u0661-\u0662",
                "bytes=\u00a01-2",
            })
    void malformedRangeOrOtherUnitIsIgnored(String header) {
        assertEquals(new Wanted.Whole(), RangeHeader.read(List.of(header), 10));
    }

    @ParameterizedTest
    @CsvSource({
        "10, bytes=10-",
        "10, bytes=10-20",
        "10, bytes=-0",
        "10, bytes=99999999999999999999-",
        "0, bytes=0-",
        "0, bytes=0-0",
        "0, bytes=-1",
        "10, 'bytes=10-,11-12,-0'"
    })
    void rangeBeyondTheEndHasNoSpan(long length, String header) {
        assertInstanceOf(Wanted.Nothing.class, RangeHeader.read(List.of(header), length));
    }

    @Test
    void missingOrRepeatedHeaderMeansTheWhole() {
        assertEquals(new Wanted.Whole(), RangeHeader.read(List.of(), 10));
        assertEquals(new Wanted.Whole(), RangeHeader.read(List.of("bytes=0-1", "bytes=3-4"), 10));
    }

    @Test
    void atMostSixteenSpansAreTaken() {
        assertInstanceOf(Wanted.Spans.class, RangeHeader.read(List.of(every(2, RangeHeader.SPANS)), 1000));
        assertInstanceOf(Wanted.Nothing.class, RangeHeader.read(List.of(every(2, RangeHeader.SPANS + 1)), 1000));
        assertEquals(new Wanted.Spans(List.of(new ByteSpan(0, 499))), RangeHeader.read(List.of(every(1, 500)), 1000));
    }

    private static String every(int step, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> i * step + "-" + i * step)
                .collect(Collectors.joining(",", "bytes=", ""));
    }

    /** Bytes are ticked one by one; a run of ticked bytes is a span, in the place of the first range that requested it. */
    @Test
    void spansEqualThoseOfASimpleModel() {
        var random = new Random(9110);
        for (int round = 0; round < 20_000; round++) {
            int length = random.nextInt(40);
            var asked = new ArrayList<String>();
            var order = new ArrayList<Integer>();
            var ticked = new BitSet();
            for (int i = random.nextInt(6); i >= 0; i--) {
                int first = random.nextInt(45);
                int last = first + random.nextInt(8);
                int from;
                int to;
                switch (random.nextInt(3)) {
                    case 0 -> {
                        asked.add(first + "-" + last);
                        from = first;
                        to = Math.min(last, length - 1);
                    }
                    case 1 -> {
                        asked.add(first + "-");
                        from = first;
                        to = length - 1;
                    }
                    default -> {
                        asked.add("-" + first);
                        from = Math.max(0, length - first);
                        to = length - 1;
                    }
                }
                if (from <= to) {
                    ticked.set(from, to + 1);
                    order.add(from);
                }
            }
            String header = "bytes=" + String.join(random.nextBoolean() ? "," : ", ", asked);
            var expected = new ArrayList<ByteSpan>();
            for (int from : order) {
                int first = ticked.previousClearBit(from) + 1;
                var span = new ByteSpan(first, ticked.nextClearBit(from) - 1);
                if (!expected.contains(span)) {
                    expected.add(span);
                }
            }
            Wanted wanted = RangeHeader.read(List.of(header), length);
            if (expected.isEmpty()) {
                assertInstanceOf(Wanted.Nothing.class, wanted, header + " of " + length);
            } else {
                assertEquals(new Wanted.Spans(expected), wanted, header + " of " + length);
            }
        }
    }

    @Test
    void noTextFailsTheParser() {
        var random = new Random(14);
        String letters = "bytes=0123456789-, \t;/W\"x";
        for (int round = 0; round < 20_000; round++) {
            String header = "bytes="
                    + random.ints(random.nextInt(24), 0, letters.length())
                            .mapToObj(i -> letters.substring(i, i + 1))
                            .collect(Collectors.joining());
            int length = random.nextInt(12);
            if (RangeHeader.read(List.of(header), length) instanceof Wanted.Spans spans) {
                spans.spans().forEach(span -> assertEquals(true, span.last() < length, header));
            }
        }
    }
}
