package io.penstock.engine.artifact.file;

/** The artifact store cannot be opened; the message is one sentence for people. */
public final class ArtifactsUnavailable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ArtifactsUnavailable(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
