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

/** What the REST edge is, as the world reads it: each operation has a place in it, and what has none is not served. */
public final class ApiDocument {

    /** The members of a path that are methods; others describe it. */
    private static final Set<String> METHODS =
            Set.of("get", "put", "post", "delete", "options", "head", "patch", "trace");

    /** Where an operation is: {@code GET /tasks/{id}}. */
    public record Place(HttpMethod method, String path, ApiOperation operation) {}

    private final byte[] text;
    private final List<Place> places;

    private ApiDocument(byte[] text, List<Place> places) {
        this.text = text;
        this.places = List.copyOf(places);
        var missing = EnumSet.allOf(ApiOperation.class);
        for (Place place : places) {
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

    /** The one that this server was built with. */
    public static ApiDocument read() {
        try (InputStream resource = Objects.requireNonNull(ApiDocument.class.getResourceAsStream("openapi.json"))) {
            return of(resource.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("a resource of this program can be read", e);
        }
    }

    static ApiDocument of(byte[] text) throws IOException {
        var places = new ArrayList<Place>();
        for (Map.Entry<String, JsonNode> path :
                new ObjectMapper().readTree(text).path("paths").properties()) {
            for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
                if (METHODS.contains(method.getKey())) {
                    places.add(new Place(
                            HttpMethod.valueOf(method.getKey().toUpperCase(Locale.ROOT)),
                            path.getKey(),
                            ApiOperation.of(
                                    method.getValue().path("operationId").asText())));
                }
            }
        }
        return new ApiDocument(text, places);
    }

    /** As it is served. */
    public byte[] text() {
        return text.clone();
    }

    /** All operations, in the document's order. */
    public List<Place> places() {
        return places;
    }
}
