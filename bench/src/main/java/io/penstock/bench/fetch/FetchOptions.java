package io.penstock.bench.fetch;

/**
 * The options of a comparison over HTTP.
 *
 * @param bytes size of the output that is fetched
 * @param seconds length of a run that has no end of its own
 * @param rounds how often the servers take turns
 */
public record FetchOptions(long bytes, long seconds, int rounds) {

    public FetchOptions {
        if (bytes < 4 << 20 || bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("--bytes is at least 4 MiB and less than 2 GiB, not " + bytes);
        }
        if (rounds < 1) {
            throw new IllegalArgumentException("--rounds is 1 or more, not " + rounds);
        }
    }
}
