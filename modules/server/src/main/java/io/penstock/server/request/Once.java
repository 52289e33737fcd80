package io.penstock.server.request;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.frames.Actor;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries out an operation that has an idempotency key once, however often it is sent, and answers each time alike. Two requests
 * with the same key are the same if they name the same operation and have equal parameters, in whatever order.
 */
public final class Once {

    private static final ObjectMapper SORTED =
            new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);

    private final IdempotencyKeys keeper;
    private final String principal;

    public Once(IdempotencyKeys keeper, Actor actor) {
        this(keeper, actor.toString());
    }

    /** @param principal whose keys they are: the same key of another is another key */
    public Once(IdempotencyKeys keeper, String principal) {
        this.keeper = keeper;
        this.principal = principal;
    }

    /**
     * The operation's answer, or the one that it gave before.
     *
     * @param key null where the caller gave none: then the operation is carried out each time
     * @param operation names the operation and what it is applied to, such as {@code POST /tasks}
     */
    public Future<JsonObject> run(
            @Nullable String key, String operation, RequestFields parameters, Supplier<Future<JsonObject>> carryOut) {
        if (key == null) {
            return carryOut.get();
        }
        return keeper.once(
                        principal,
                        key,
                        fingerprint(operation, parameters.object()),
                        () -> carryOut.get().map(answer -> answer.encode().getBytes(StandardCharsets.UTF_8)))
                .map(answer -> new JsonObject(new String(answer, StandardCharsets.UTF_8)));
    }

    private static byte[] fingerprint(String operation, ObjectNode parameters) {
        try {
            // Through maps, whose fields can be sorted at every depth.
            String sorted = SORTED.writeValueAsString(SORTED.convertValue(parameters, Map.class));
            String all = operation + "\n" + sorted;
            return MessageDigest.getInstance("SHA-256").digest(all.getBytes(StandardCharsets.UTF_8));
        } catch (JsonProcessingException | NoSuchAlgorithmException e) {
            throw new IllegalStateException("JSON that was read can be written, and every JVM has SHA-256", e);
        }
    }
}
