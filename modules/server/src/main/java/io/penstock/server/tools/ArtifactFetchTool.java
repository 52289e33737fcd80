package io.penstock.server.tools;

import io.penstock.engine.artifact.LineRange;
import io.penstock.engine.artifact.RecordedBytes;
import io.penstock.engine.artifact.text.TextRange;
import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Limits;
import io.penstock.server.request.HttpLimits;
import io.penstock.server.request.LineSpan;
import io.penstock.server.request.RequestFields;
import io.penstock.server.tools.FieldType.Flag;
import io.penstock.server.tools.FieldType.Form;
import io.penstock.server.tools.FieldType.Text;
import io.penstock.server.tools.FieldType.WholeNumber;
import io.penstock.server.tools.FieldType.Word;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads a page of an artifact, by bytes or by lines. */
public final class ArtifactFetchTool implements Tool {

    private static final String TEXT = "text";
    private static final String BASE64 = "base64";
    private static final FieldType ENCODING = new Word(List.of(TEXT, BASE64));
    private static final FieldType AMOUNT = new WholeNumber(0, Limits.WHOLE_NUMBER);

    private static final Fields PARAMETERS = Fields.of(
            Field.required(
                    "id",
                    FieldType.id(Limits.ARTIFACT_ID_CHARS),
                    "The artifact's id, as a task's status or artifact_store names it, or sha256: and the digest of its bytes."),
            Field.withDefault("offset_bytes", AMOUNT, 0, "Where the page begins; cannot be combined with lines."),
            Field.withDefault(
                    "max_bytes",
                    new WholeNumber(1, Limits.ARTIFACT_FETCH_BYTES),
                    Limits.ARTIFACT_FETCH_USUAL_BYTES,
                    "Maximum number of bytes of the page."),
            Field.optional(
                    "lines",
                    new Form(LineSpan.FORM, LineSpan.EXPECTED, LineSpan.CHARS),
                    "Whole lines instead of bytes: FIRST-LAST or FIRST-, counted from 1."),
            Field.withDefault(
                    "encoding",
                    ENCODING,
                    TEXT,
                    "text: UTF-8, in which invalid bytes become U+FFFD; base64: the bytes as they are, for binary content."));

    private static final Fields RESULT = Fields.of(
            Field.required("id", FieldType.id(Limits.ARTIFACT_ID_CHARS), "The artifact's id."),
            Field.required("encoding", ENCODING, "How content is written."),
            Field.required(
                    "content",
                    new Text(2 * Limits.ARTIFACT_FETCH_BYTES),
                    "The page; empty if nothing can be read from its beginning on."),
            Field.required("offset_bytes", AMOUNT, "Where the page begins."),
            Field.required("bytes", AMOUNT, "How many bytes of the artifact the page has."),
            Field.required("total_bytes", AMOUNT, "Up to which offset there are bytes now."),
            Field.required(
                    "first_offset_bytes",
                    AMOUNT,
                    "The first offset that is kept; not 0 if the oldest bytes were removed."),
            Field.required(
                    "truncated",
                    new Flag(),
                    "Whether there is more, of the lines if lines were asked for, to be read now."),
            Field.required("next_offset_bytes", AMOUNT, "The offset_bytes of the next page."),
            Field.optional("first_line", AMOUNT, "If lines were asked for: the number of the first."),
            Field.optional(
                    "lines",
                    AMOUNT,
                    "If lines were asked for: how many the page has; if it is truncated, the last may be incomplete."),
            Field.optional(
                    "digest",
                    new Text(Limits.ARTIFACT_ID_CHARS),
                    "The digest of all kept bytes, once there will be no more."));

    private final Vertx vertx;
    private final TaskApi tasks;

    public ArtifactFetchTool(Vertx vertx, TaskApi tasks) {
        this.vertx = vertx;
        this.tasks = tasks;
    }

    @Override
    public String name() {
        return "artifact_fetch";
    }

    @Override
    public String description() {
        return "Reads a page of an artifact: the output of a task, while it runs and afterwards, or what artifact_store"
                + " stored. Use lines to read a part of a long log, or offset_bytes to continue after a page that was"
                + " truncated.";
    }

    @Override
    public Fields parameters() {
        return PARAMETERS;
    }

    @Override
    public JsonObject resultSchema() {
        return RESULT.ofResult();
    }

    @Override
    public boolean readOnly(ToolCall call) {
        return true;
    }

    @Override
    public long answerBytes(ToolCall call) {
        return call.parameters().getLong("max_bytes") * HttpLimits.OUTPUT_JSON_FACTOR;
    }

    @Override
    public Future<JsonObject> call(ToolCall call) {
        JsonObject given = call.parameters();
        String lines = given.getString("lines");
        LineSpan span = lines == null ? null : LineSpan.parse("lines", lines);
        long offset = given.getLong("offset_bytes");
        if (span != null && offset > 0) {
            throw RequestFields.wrong("offset_bytes and lines do not go together, but are " + offset + " and " + lines
                    + "; leave one of them out");
        }
        boolean base64 = BASE64.equals(given.getString("encoding"));
        int maxBytes = given.getInteger("max_bytes");
        return tasks.artifact(given.getString("id"))
                .compose(found -> vertx.executeBlocking(() -> page(found, offset, span, maxBytes, base64)))
                .map(Objects::requireNonNull);
    }

    private static JsonObject page(
            RecordedBytes found, long offset, @Nullable LineSpan span, int maxBytes, boolean base64)
            throws IOException {
        LineRange lines = span == null ? null : found.lines(span.first(), span.last());
        long from =
                lines == null ? Math.min(offset, found.length()) : lines.bytes().offset();
        long to = lines == null ? found.length() : from + lines.bytes().length();
        int most = (int) Math.min(maxBytes, to - from);
        Page page = base64 ? Page.ofBytes(from, found.read(from, most)) : Page.ofText(found.text(from, most));
        return new JsonObject()
                .put("id", found.artifact().id())
                .put("encoding", base64 ? BASE64 : TEXT)
                .put("content", page.content())
                .put("offset_bytes", page.offset())
                .put("bytes", page.bytes())
                .put("total_bytes", Math.max(found.length(), page.end()))
                .put("first_offset_bytes", found.firstByte())
                // An empty page before the end has only part of a character behind it: nothing to read yet.
                .put("truncated", page.bytes() > 0 && page.end() < to)
                .put("next_offset_bytes", page.end())
                .put("first_line", lines == null ? null : lines.first())
                .put("lines", lines == null ? null : page.lines())
                .put("digest", found.digest());
    }

    /** A part of an artifact, read at once. */
    private record Page(long offset, int bytes, String content, long lines) {

        static Page ofText(TextRange text) {
            return new Page(text.offset(), text.length(), text.text(), lines(text.text()));
        }

        static Page ofBytes(long offset, byte[] bytes) {
            return new Page(
                    offset,
                    bytes.length,
                    Base64.getEncoder().encodeToString(bytes),
                    lines(new String(bytes, StandardCharsets.ISO_8859_1)));
        }

        long end() {
            return offset + bytes;
        }

        /** Text after the last line feed is a line too. */
        private static long lines(String text) {
            long ended = text.chars().filter(c -> c == '\n').count();
            return text.isEmpty() || text.endsWith("\n") ? ended : ended + 1;
        }
    }
}
