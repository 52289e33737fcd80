package io.penstock.server.tools;

import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Limits;
import io.penstock.server.request.RequestFields;
import io.penstock.server.tools.FieldType.Text;
import io.penstock.server.tools.FieldType.WholeNumber;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;

/** Stores text or bytes as an artifact of no task. */
public final class ArtifactStoreTool implements Tool {

    /** Of the most bytes that are accepted: four characters for three bytes. */
    private static final int BASE64_CHARS = (Limits.ARTIFACT_STORE_BYTES + 2) / 3 * 4;

    /** An id, a digest and a number. */
    private static final long ANSWER_BYTES = 1024;

    private static final Fields PARAMETERS = Fields.of(
            Field.optional(
                    "text",
                    new Text(Limits.ARTIFACT_STORE_BYTES),
                    "The text to store, as UTF-8: 1 to " + Limits.ARTIFACT_STORE_BYTES
                            + " bytes. Either this or bytes_b64."),
            Field.optional(
                    "bytes_b64",
                    new Text(BASE64_CHARS),
                    "The bytes to store, in base64: 1 to " + Limits.ARTIFACT_STORE_BYTES
                            + " bytes. Either this or text."));

    private static final Fields RESULT = Fields.of(
            Field.required(
                    "id", FieldType.id(Limits.ARTIFACT_ID_CHARS), "The artifact's id; equal bytes have the same id."),
            Field.required("digest", new Text(Limits.ARTIFACT_ID_CHARS), "sha256: and the digest of the bytes."),
            Field.required("bytes", new WholeNumber(1, Limits.ARTIFACT_STORE_BYTES), "How many bytes it has."));

    private final TaskApi tasks;

    public ArtifactStoreTool(TaskApi tasks) {
        this.tasks = tasks;
    }

    @Override
    public String name() {
        return "artifact_store";
    }

    @Override
    public String description() {
        return "Stores a text or bytes as an artifact, to pass on its id instead of its content. It can be read with"
                + " artifact_fetch until it is removed by age, counted from the last time that the same bytes were stored.";
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
        return false;
    }

    @Override
    public long answerBytes(ToolCall call) {
        return ANSWER_BYTES;
    }

    @Override
    public Future<JsonObject> call(ToolCall call) {
        return tasks.storeArtifact(bytes(call.parameters()))
                .map(stored -> new JsonObject()
                        .put("id", stored.artifactId())
                        .put("digest", stored.digest())
                        .put("bytes", stored.bytes()));
    }

    private static byte[] bytes(JsonObject given) {
        String text = given.getString("text");
        String base64 = given.getString("bytes_b64");
        if (text == null == (base64 == null)) {
            throw RequestFields.wrong(
                    "artifact_store has either text or bytes_b64, but here are " + (text == null ? "neither" : "both"));
        }
        String name = text == null ? "bytes_b64" : "text";
        byte[] bytes = text == null ? RequestFields.base64(base64, name) : text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0 || bytes.length > Limits.ARTIFACT_STORE_BYTES) {
            throw RequestFields.wrong(
                    name + " must have 1 to " + Limits.ARTIFACT_STORE_BYTES + " bytes, but has " + bytes.length);
        }
        return bytes;
    }
}
