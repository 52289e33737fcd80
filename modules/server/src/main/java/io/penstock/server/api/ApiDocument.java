package io.penstock.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The published description of the REST edge: every operation has a place in it, and nothing else is served. */
public final class ApiDocument {

    /** The members of a path that are methods; other members describe the path. */
    private static final Set<String> METHODS =
            Set.of("get", "put", "post", "delete", "options", "head", "patch", "trace");

    /**
     * The place of an operation, such as {@code GET /tasks/{id}}, and the credentials it accepts.
     *
     * @param credentials the caller needs one of them; empty if none is needed
     */
    public record Endpoint(HttpMethod method, String path, ApiOperation operation, Set<Credential> credentials) {
        public Endpoint {
            credentials = Set.copyOf(credentials);
        }

        /** Whether anyone may call it. */
        public boolean isOpen() {
            return credentials.isEmpty();
        }
    }

    private final byte[] text;
    private final List<Endpoint> places;

    private ApiDocument(byte[] text, List<Endpoint> places) {
        this.text = text;
        this.places = List.copyOf(places);
        var missing = EnumSet.allOf(ApiOperation.class);
        for (Endpoint place : places) {
            if (!missing.remove(place.operation())) {
                throw new IllegalArgumentException(
                        "The document has the operation " + place.operation().id() + " twice");
            }
        }
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("The document has no operation "
                    + missing.stream().map(ApiOperation::id).toList());
        }
    }

    /** The document that this server was built with. */
    public static ApiDocument read() {
        try (InputStream resource = Objects.requireNonNull(ApiDocument.class.getResourceAsStream("openapi.json"))) {
            return of(resource.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("a resource of this program can be read", e);
        }
    }

    static ApiDocument of(byte[] text) throws IOException {
        var places = new ArrayList<Endpoint>();
        JsonNode document = new ObjectMapper().readTree(text);
        for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
            for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
                if (METHODS.contains(method.getKey())) {
                    places.add(new Endpoint(
                            HttpMethod.valueOf(method.getKey().toUpperCase(Locale.ROOT)),
                            path.getKey(),
                            ApiOperation.of(
                                    method.getValue().path("operationId").asText()),
                            credentials(
                                    method.getValue().path("security").isMissingNode()
                                            ? document.path("security")
                                            : method.getValue().path("security"))));
                }
            }
        }
        return new ApiDocument(text, places);
    }

    /**
     * An empty list means that no credential is needed; a missing list would mean the same to OpenAPI, but is a mistake
     * here.
     */
    private static Set<Credential> credentials(JsonNode security) {
        if (!security.isArray()) {
            throw new IllegalArgumentException("The document does not say which credentials its operations need");
        }
        var credentials = EnumSet.noneOf(Credential.class);
        for (JsonNode alternative : security) {
            if (alternative.size() != 1) {
                throw new IllegalArgumentException(
                        "Each alternative of a security requirement is one credential, unlike " + alternative);
            }
            credentials.add(Credential.of(alternative.fieldNames().next()));
        }
        return credentials;
    }

    /** The document as served. */
    public byte[] text() {
        return text.clone();
    }

    /** All operations, in the document's order. */
    public List<Endpoint> places() {
        return places;
    }
}
