package io.penstock.server.http;

import io.penstock.engine.artifact.Artifact;
import io.penstock.engine.artifact.ReadFile;
import io.penstock.server.http.range.ByteSpan;
import io.penstock.server.http.range.Multipart;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Sends several spans of a file piece by piece. A piece is read when the one before it was sent, so a slow client costs the memory of one
 * piece. Runs on the request's context, and closes the file.
 */
final class PartsBody {

    static final int PIECE_BYTES = 64 * 1024;

    private final RoutingContext request;
    private final HttpServerResponse response;
    private final Multipart parts;
    private final Artifact artifact;
    private final ReadFile file;
    private final long offset;
    private int index;
    private long sent;

    /** @param offset the place in the file from which spans are counted */
    PartsBody(RoutingContext request, Multipart parts, Artifact artifact, ReadFile file, long offset) {
        this.request = request;
        this.response = request.response();
        this.parts = parts;
        this.artifact = artifact;
        this.file = file;
        this.offset = offset;
    }

    void start() {
        part();
    }

    private void part() {
        if (index == parts.spans().size()) {
            ByteAnswer.close(file);
            response.end(parts.end());
            return;
        }
        write(Buffer.buffer(parts.before(index)));
    }

    private void piece() {
        ByteSpan span = parts.spans().get(index);
        long left = span.length() - sent;
        if (left == 0) {
            index++;
            sent = 0;
            part();
            return;
        }
        int length = (int) Math.min(PIECE_BYTES, left);
        long from = offset + span.first() + sent;
        request.vertx()
                .executeBlocking(() -> read(artifact, file, from, length))
                .onComplete(read -> {
                    if (read.failed()) {
                        fail(read.cause());
                    } else {
                        sent += length;
                        write(read.result());
                    }
                });
    }

    /** Fails if the bytes were removed during the read, because removed bytes read as zeros. */
    static Buffer read(Artifact artifact, ReadFile file, long from, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            if (file.channel().read(bytes, from + bytes.position()) < 0) {
                throw new EOFException("The file ends at " + (from + bytes.position()) + ": someone has cut it");
            }
        }
        artifact.checkKept(from);
        return Buffer.buffer(bytes.array());
    }

    private void write(Buffer piece) {
        if (response.closed()) {
            ByteAnswer.close(file);
            return;
        }
        response.write(piece).onComplete(written -> {
            if (written.failed()) {
                fail(written.cause());
            } else {
                piece();
            }
        });
    }

    private void fail(Throwable why) {
        ByteAnswer.close(file);
        if (!response.closed()) {
            request.fail(why);
        }
    }
}
