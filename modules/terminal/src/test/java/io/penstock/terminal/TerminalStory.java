package io.penstock.terminal;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The events of a terminal from its start: outputs and resizes, in order. */
record TerminalStory(int rows, int cols, List<Event> events) {

    sealed interface Event {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Output(byte[] bytes) implements Event {}

    record Size(int rows, int cols) implements Event {}

    TerminalStory {
        events = List.copyOf(events);
    }

    /** Reads an asciicast of version 2. */
    static TerminalStory read(Path recording) throws IOException {
        List<String> lines = Files.readAllLines(recording);
        var header = new JsonObject(lines.getFirst());
        var events = new ArrayList<Event>();
        for (String line : lines.subList(1, lines.size())) {
            var event = new JsonArray(line);
            String data = event.getString(2);
            events.add(event.getString(1).equals("r") ? size(data) : new Output(data.getBytes(StandardCharsets.UTF_8)));
        }
        return new TerminalStory(
                Objects.requireNonNull(header.getInteger("height")),
                Objects.requireNonNull(header.getInteger("width")),
                events);
    }

    private static Size size(String data) {
        int x = data.indexOf('x');
        return new Size(Integer.parseInt(data.substring(x + 1)), Integer.parseInt(data.substring(0, x)));
    }

    /** A random story with every kind of sequence and some resizes. */
    static TerminalStory random(long seed) {
        return random(seed, new String[0]);
    }

    /** Likewise, with other sequences in between. */
    static TerminalStory random(long seed, String... besides) {
        return random(new RandomOutput(seed, besides));
    }

    private static TerminalStory random(RandomOutput output) {
        int rows = 2 + output.number(10);
        int cols = 2 + output.number(22);
        var events = new ArrayList<Event>();
        for (int i = 2 + output.number(5); i > 0; i--) {
            events.add(new Output(output.pieces(1 + output.number(40))));
            if (output.number(3) == 0) {
                events.add(new Size(2 + output.number(10), 2 + output.number(22)));
            }
        }
        return new TerminalStory(rows, cols, events);
    }

    /** A position in a story: a number of events, and of bytes of the following output. */
    record Place(int events, int bytes) {}

    /** Evenly spread positions, of which the last is the end; they may split sequences and characters. */
    List<Place> places(int count) {
        int all = 0;
        for (Event event : events) {
            all += weight(event);
        }
        var places = new ArrayList<Place>();
        for (int i = 1; i <= count; i++) {
            places.add(place((int) ((long) all * i / count)));
        }
        return places;
    }

    private Place place(int weight) {
        int left = weight;
        for (int i = 0; i < events.size(); i++) {
            int here = weight(events.get(i));
            if (left < here) {
                return new Place(i, left);
            }
            left -= here;
        }
        return new Place(events.size(), 0);
    }

    private static int weight(Event event) {
        return switch (event) {
            case Output output -> output.bytes().length;
            case Size _ -> 1;
        };
    }

    /** Sends a terminal the events between two positions. */
    void replay(Emulator terminal, Place from, Place to) {
        for (int i = from.events(); i < events.size() && i <= to.events(); i++) {
            switch (events.get(i)) {
                case Output output -> {
                    int begin = i == from.events() ? from.bytes() : 0;
                    int end = i == to.events() ? to.bytes() : output.bytes().length;
                    terminal.write(output.bytes(), begin, end);
                }
                case Size size -> {
                    if (i < to.events()) {
                        terminal.resize(size.rows(), size.cols());
                    }
                }
            }
        }
    }
}
