package io.penstock.frames;

/** The location of one channel's bytes: the artifact's id, known from the start, and its path under the data directory. */
public record LogRef(Channel channel, String artifactId, String path) {

    public LogRef {
        artifactId = Checks.notBlank(artifactId, "artifact id");
        path = Checks.notBlank(path, "artifact path");
    }
}
