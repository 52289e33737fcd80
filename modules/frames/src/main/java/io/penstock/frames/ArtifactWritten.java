package io.penstock.frames;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An artifact was sealed: its bytes never change from now on. */
public record ArtifactWritten(
        String artifactId,
        String kind,
        long bytes,
        String digest,
        @Nullable String preview) implements TaskFrame {

    private static final Pattern SHA256 = Pattern.compile("sha256:[0-9a-f]{64}");

    public ArtifactWritten {
        artifactId = Checks.notBlank(artifactId, "artifact_id");
        kind = Checks.notBlank(kind, "kind");
        Checks.notNegative(bytes, "bytes");
        preview = Checks.textOrNull(preview, "preview");
        requireDigest(digest);
    }

    static void requireDigest(String digest) {
        if (!SHA256.matcher(digest).matches()) {
            throw new IllegalArgumentException(
                    "A digest is sha256: and 64 hex digits in lower case, not \"" + digest + "\"");
        }
    }

    @Override
    public FrameType type() {
        return FrameType.ARTIFACT_WRITTEN;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.text("artifact_id", artifactId);
        json.text("kind", kind);
        json.number("bytes", bytes);
        json.text("digest", digest);
        json.textOrNull("preview", preview);
    }

    static ArtifactWritten readJson(JsonFields fields) {
        return new ArtifactWritten(
                fields.text("artifact_id"),
                fields.text("kind"),
                fields.number("bytes"),
                fields.text("digest"),
                fields.textOrNull("preview"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeText(artifactId);
        out.writeText(kind);
        out.writeNumber(bytes);
        out.writeText(digest);
        out.writeTextOrNull(preview);
    }

    static ArtifactWritten readStored(ByteReader in) {
        return new ArtifactWritten(in.readText(), in.readText(), in.readNumber(), in.readText(), in.readTextOrNull());
    }
}
