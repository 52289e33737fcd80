package io.penstock.frames;

/** The location of one channel's bytes: the artifact's id, known from the start, and its path under the data directory. */
public record LogRef(Channel channel, String artifactId, String path) {

    public LogRef {
        artifactId = Checks.notBlank(artifactId, "artifact id");
        path = Checks.notBlank(path, "artifact path");
    }

    void writeJson(JsonWriter json) {
        json.text("id", artifactId);
        json.text("path", path);
    }

    static LogRef readJson(Channel channel, JsonFields fields) {
        return new LogRef(channel, fields.text("id"), fields.text("path"));
    }

    /** Without the channel, which the context determines. */
    void writeStored(ByteWriter out) {
        out.writeText(artifactId);
        out.writeText(path);
    }

    static LogRef readStored(Channel channel, ByteReader in) {
        return new LogRef(channel, in.readText(), in.readText());
    }
}
