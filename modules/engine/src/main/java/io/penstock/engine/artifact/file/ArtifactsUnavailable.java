package io.penstock.engine.artifact.file;

/** The store of artifacts cannot be opened; the message is one sentence for a person. */
public final class ArtifactsUnavailable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ArtifactsUnavailable(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
