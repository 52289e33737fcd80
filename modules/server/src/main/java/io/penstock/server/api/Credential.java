package io.penstock.server.api;

/** A kind of credential, by the name of its security scheme in the document. */
public enum Credential {
    /** The access token, which permits everything except answers to policy questions. */
    TOKEN("token"),
    /** The cookie of a browser session that was opened with the access token. */
    SESSION("session"),
    /** The token that permits answering policy questions, and reading. */
    ANSWER_TOKEN("answer_token");

    private final String scheme;

    Credential(String scheme) {
        this.scheme = scheme;
    }

    static Credential of(String scheme) {
        for (Credential credential : values()) {
            if (credential.scheme.equals(scheme)) {
                return credential;
            }
        }
        throw new IllegalArgumentException(
                "The document names a security scheme \"" + scheme + "\" that no Credential has");
    }
}
