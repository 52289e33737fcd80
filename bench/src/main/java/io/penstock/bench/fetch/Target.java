package io.penstock.bench.fetch;

import java.net.URI;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A server that has the file.
 *
 * @param cpuNanos processor time of its processes
 */
record Target(String name, URI file, @Nullable String token, LongSupplier cpuNanos) {

    /** The request's head, without the range. */
    String head() {
        return "GET " + file.getRawPath() + " HTTP/1.1\r\nHost: " + file.getAuthority() + "\r\n"
                + (token == null ? "" : "Authorization: Bearer " + token + "\r\n");
    }
}
