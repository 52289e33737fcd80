package io.penstock.bench.fetch;

import java.net.URI;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One server that has the file.
 *
 * @param cpuNanos what its processes have used of the processors
 */
record Target(String name, URI file, @Nullable String token, LongSupplier cpuNanos) {

    /** What a client asks, without the range. */
    String head() {
        return "GET " + file.getRawPath() + " HTTP/1.1\r\nHost: " + file.getAuthority() + "\r\n"
                + (token == null ? "" : "Authorization: Bearer " + token + "\r\n");
    }
}
