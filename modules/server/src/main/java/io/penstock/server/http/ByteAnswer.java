package io.penstock.server.http;

import io.penstock.engine.artifact.Artifact;
import io.penstock.engine.artifact.ByteRange;
import io.penstock.engine.artifact.ReadFile;
import io.penstock.server.failure.HttpFailure;
import io.penstock.server.http.range.ByteSpan;
import io.penstock.server.http.range.Conditions;
import io.penstock.server.http.range.EntityTag;
import io.penstock.server.http.range.Multipart;
import io.penstock.server.http.range.RangeHeader;
import io.penstock.server.http.range.Wanted;
import io.penstock.server.request.AnswerHeaders;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The answer to one request for bytes, with conditions and ranges. Runs on the request's context. */
final class ByteAnswer {

    private static final Logger log = LoggerFactory.getLogger(ByteAnswer.class);

    private final RoutingContext request;
    private final HttpServerResponse response;
    private final Selection selection;
    private final String type;
    private final @Nullable String disposition;

    ByteAnswer(RoutingContext request, Selection selection, String type, @Nullable String disposition) {
        this.request = request;
        this.response = request.response();
        this.selection = selection;
        this.type = type;
        this.disposition = disposition;
    }

    void send() {
        MultiMap headers = request.request().headers();
        var conditions =
                new Conditions(headers.getAll("if-match"), headers.getAll("if-none-match"), headers.getAll("if-range"));
        EntityTag tag = selection.tag();
        switch (conditions.of(tag)) {
            case FAILED -> {
                response.putHeader("etag", tag.toString());
                throw HttpFailure.wrong(
                        412, "If-Match names another state than the current one, which has the tag " + tag);
            }
            case NOT_MODIFIED -> {
                state(304, tag);
                response.end();
            }
            case ANSWER -> {
                // Only GET has ranges.
                boolean parts = request.request().method() == HttpMethod.GET
                        && conditions.wantRangesOf(tag)
                        && selection.runs().isEmpty();
                send(parts ? RangeHeader.read(headers.getAll("range"), selection.length()) : new Wanted.Whole(), tag);
            }
        }
    }

    private void send(Wanted wanted, EntityTag tag) {
        switch (wanted) {
            case Wanted.Whole() -> {
                if (selection.runs().isEmpty()) {
                    selection.bytes().artifact().checkWhole(selection.offset(), selection.length());
                }
                head(200, tag, type);
                body(selection.offset(), selection.length());
            }
            case Wanted.Spans(List<ByteSpan> spans)
            when spans.size() == 1 -> {
                ByteSpan span = spans.getFirst();
                checkWhole(span);
                head(206, tag, type);
                response.putHeader("content-range", span.of(selection.length()));
                body(selection.offset() + span.first(), span.length());
            }
            case Wanted.Spans(List<ByteSpan> spans) -> {
                spans.forEach(this::checkWhole);
                // Random, so that no output can contain it.
                String boundary = UUID.randomUUID().toString();
                var parts = new Multipart(spans, boundary, type, selection.length());
                head(206, tag, parts.type());
                response.putHeader("content-length", String.valueOf(parts.length()));
                withFile(file ->
                        new PartsBody(request, parts, selection.bytes().artifact(), file, selection.offset()).start());
            }
            case Wanted.Nothing(String why) -> {
                response.putHeader("content-range", "bytes */" + selection.length());
                throw HttpFailure.wrong(416, why);
            }
        }
    }

    private void checkWhole(ByteSpan span) {
        selection.bytes().artifact().checkWhole(selection.offset() + span.first(), span.length());
    }

    private void state(int status, EntityTag tag) {
        response.setStatusCode(status)
                .putHeader("etag", tag.toString())
                // Only the client may store it, and must revalidate it each time.
                .putHeader("cache-control", "private, no-cache");
    }

    private void head(int status, EntityTag tag, String contentType) {
        state(status, tag);
        AnswerHeaders.typed(response, contentType)
                .putHeader("accept-ranges", "bytes")
                .putHeader("content-security-policy", "default-src 'none'; sandbox");
        if (disposition != null) {
            response.putHeader("content-disposition", disposition);
        }
        if (selection.bytes().firstByte() > 0) {
            response.putHeader(
                    "x-penstock-first-offset", String.valueOf(selection.bytes().firstByte()));
        }
        if (selection.lines() != null) {
            response.putHeader("x-penstock-lines", selection.lines());
        }
    }

    private void body(long offset, long length) {
        response.putHeader("content-length", String.valueOf(length));
        if (length == 0 || request.request().method() == HttpMethod.HEAD) {
            response.end();
            return;
        }
        Artifact artifact = selection.bytes().artifact();
        if (!selection.runs().isEmpty() || artifact.losesBytes()) {
            List<ByteRange> runs = selection.runs().isEmpty()
                    ? List.of(new ByteRange(artifact.file(), offset, length))
                    : selection.runs();
            withFile(file -> new CheckedBody(request, artifact, file, runs).start());
            return;
        }
        withFile(file -> response.sendFile(file.channel(), offset, length).onComplete(sent -> {
            close(file);
            if (sent.failed() && !response.closed()) {
                request.fail(sent.cause());
            }
        }));
    }

    /** Opens the file before the head is sent, so that a failure still becomes an error answer. */
    private void withFile(Consumer<ReadFile> then) {
        ReadFile already;
        try {
            already = selection.bytes().openAlready();
        } catch (IOException e) {
            cannotOpen(e);
            return;
        }
        if (already != null) {
            send(already, then);
            return;
        }
        request.vertx().executeBlocking(selection.bytes()::open).onComplete(opened -> {
            if (opened.failed()) {
                cannotOpen(opened.cause());
            } else {
                send(opened.result(), then);
            }
        });
    }

    private void cannotOpen(Throwable why) {
        unsay();
        request.fail(why);
    }

    private void send(ReadFile file, Consumer<ReadFile> then) {
        if (response.closed()) {
            close(file);
            return;
        }
        try {
            then.accept(file);
        } catch (RuntimeException e) {
            close(file);
            request.fail(e);
        }
    }

    private void unsay() {
        List.of(
                        "etag",
                        "accept-ranges",
                        "content-security-policy",
                        "content-disposition",
                        "content-range",
                        "content-length",
                        "x-penstock-first-offset",
                        "x-penstock-lines")
                .forEach(response.headers()::remove);
    }

    static void close(ReadFile file) {
        try {
            file.close();
        } catch (IOException e) {
            log.warn("Closing a file that was sent failed", e);
        }
    }
}
