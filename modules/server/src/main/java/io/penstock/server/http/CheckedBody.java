package io.penstock.server.http;

import io.penstock.engine.artifact.Artifact;
import io.penstock.engine.artifact.ByteRange;
import io.penstock.engine.artifact.ReadFile;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayDeque;
import java.util.List;

/**
 * Sends runs of an output piece by piece. Each piece is checked before it is sent, because bytes of an output that keeps its tail may be
 * removed before a slow client has read them. Runs on the request's context, and closes the file.
 */
final class CheckedBody {

    private final RoutingContext request;
    private final HttpServerResponse response;
    private final Artifact artifact;
    private final ReadFile file;
    private final ArrayDeque<ByteRange> runs;
    private long at; // in the first of them

    CheckedBody(RoutingContext request, Artifact artifact, ReadFile file, List<ByteRange> runs) {
        this.request = request;
        this.response = request.response();
        this.artifact = artifact;
        this.file = file;
        this.runs = new ArrayDeque<>(runs);
    }

    void start() {
        piece();
    }

    private void piece() {
        if (response.closed()) {
            ByteAnswer.close(file);
            return;
        }
        ByteRange run = runs.peek();
        if (run == null) {
            ByteAnswer.close(file);
            response.end();
            return;
        }
        long from = run.offset() + at;
        int length = (int) Math.min(PartsBody.PIECE_BYTES, run.length() - at);
        at += length;
        if (at == run.length()) {
            runs.remove();
            at = 0;
        }
        request.vertx()
                .executeBlocking(() -> PartsBody.read(artifact, file, from, length))
                .compose(response::write)
                .onComplete(written -> {
                    if (written.succeeded()) {
                        piece();
                        return;
                    }
                    ByteAnswer.close(file);
                    if (!response.closed()) {
                        request.fail(written.cause());
                    }
                });
    }
}
