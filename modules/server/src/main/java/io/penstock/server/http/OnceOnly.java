package io.penstock.server.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.frames.Actor;
import io.penstock.server.request.JsonFields;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Carries out a request that has an {@code Idempotency-Key} once, however often it is sent, and answers every sending alike. What
 * makes two requests the same is the method, the path, and the body whatever the order of its fields.
 */
final class OnceOnly {

    private static final ObjectMapper SORTED =
            new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);

    private final KeyKeeper keeper;
    private final String principal;

    OnceOnly(KeyKeeper keeper, Actor actor) {
        this.keeper = keeper;
        this.principal = actor.toString();
    }

    /** The operation's answer, or the one that it gave before. */
    Future<JsonObject> run(HttpServerRequest request, JsonFields body, Supplier<Future<JsonObject>> operation) {
        String key = request.getHeader("idempotency-key");
        if (key == null) {
            return operation.get();
        }
        return keeper.once(
                        principal,
                        key,
                        fingerprint(request, body.object()),
                        () -> operation.get().map(answer -> answer.encode().getBytes(StandardCharsets.UTF_8)))
                .map(answer -> new JsonObject(new String(answer, StandardCharsets.UTF_8)));
    }

    private static byte[] fingerprint(HttpServerRequest request, ObjectNode body) {
        try {
            // Through maps, whose fields can be sorted at every depth.
            String sorted = SORTED.writeValueAsString(SORTED.convertValue(body, Map.class));
            String all = request.method() + " " + request.path() + "\n" + sorted;
            return MessageDigest.getInstance("SHA-256").digest(all.getBytes(StandardCharsets.UTF_8));
        } catch (JsonProcessingException | NoSuchAlgorithmException e) {
            throw new IllegalStateException("JSON that was read can be written, and every JVM has SHA-256", e);
        }
    }
}
