package io.penstock.bench.fetch;

import java.util.List;

/**
 * What a comparison over HTTP was asked for.
 *
 * @param bytes of the output that is fetched
 * @param seconds of each run, where a run has no end of its own
 * @param rounds how often the servers take turns
 */
public record FetchOptions(long bytes, long seconds, int rounds) {

    public FetchOptions {
        if (bytes < 4 << 20 || bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("--bytes is 4 MiB to 2 GiB, less one byte, not " + bytes);
        }
        if (rounds < 1) {
            throw new IllegalArgumentException("--rounds is 1 or more, not " + rounds);
        }
    }

    public static FetchOptions of(List<String> words, long bytes, long seconds, int rounds) {
        for (int i = 0; i < words.size(); i += 2) {
            switch (words.get(i)) {
                case "--bytes" -> bytes = number(words, i);
                case "--seconds" -> seconds = number(words, i);
                case "--rounds" -> rounds = (int) number(words, i);
                default ->
                    throw new IllegalArgumentException("there is no option " + words.get(i)
                            + "; there are --bytes, --seconds and --rounds, each with a number");
            }
        }
        return new FetchOptions(bytes, seconds, rounds);
    }

    private static long number(List<String> words, int option) {
        if (option + 1 == words.size()) {
            throw new IllegalArgumentException(words.get(option) + " needs a value");
        }
        String value = words.get(option + 1);
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(words.get(option) + " is " + value + " and must be a whole number", e);
        }
    }
}
