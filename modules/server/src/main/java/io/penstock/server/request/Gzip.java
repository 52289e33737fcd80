package io.penstock.server.request;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;

/** Compression of complete answers. Streams are never compressed: each event has to arrive at once. */
public final class Gzip {

    /** Smaller answers fit into a packet or two as they are. */
    private static final int LEAST_BYTES = 2048;

    /** Some milliseconds of the event loop. */
    private static final int MOST_BYTES = 512 * 1024;

    private Gzip() {}

    /** Whether the client accepts it, as nearly all do. */
    public static boolean isTaken(RoutingContext request) {
        return request.parsedHeaders().acceptEncoding().stream()
                .anyMatch(each -> each.value().equalsIgnoreCase("gzip") && each.weight() > 0);
    }

    /** The body, or its compressed form with the headers that say so. */
    public static Buffer body(RoutingContext request, Buffer body) {
        request.response().putHeader(HttpHeaders.VARY, "accept-encoding");
        if (body.length() < LEAST_BYTES || body.length() > MOST_BYTES || !isTaken(request)) {
            return body;
        }
        request.response().putHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
        return of(body);
    }

    private static Buffer of(Buffer body) {
        var packed = new ByteArrayOutputStream(body.length() / 4);
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(body.getBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e); // never: it is memory
        }
        return Buffer.buffer(packed.toByteArray());
    }
}
