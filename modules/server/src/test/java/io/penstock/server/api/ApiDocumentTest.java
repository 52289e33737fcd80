package io.penstock.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Channel;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.json.schema.OutputUnit;
import io.vertx.openapi.contract.OpenAPIVersion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ApiDocumentTest {

    @Test
    void theDocumentAndTheCodeHaveTheSameOperations() {
        assertEquals(
                new TreeSet<>(Arrays.stream(ApiOperation.values())
                        .map(ApiOperation::id)
                        .toList()),
                new TreeSet<>(Documented.operations().stream()
                        .map(Documented.Operation::id)
                        .toList()));
        assertEquals(
                Documented.operations().stream()
                        .map(operation -> operation.method() + " " + operation.path() + " " + operation.id())
                        .toList(),
                ApiDocument.read().places().stream()
                        .map(place -> place.method() + " " + place.path() + " "
                                + place.operation().id())
                        .toList());
    }

    @Test
    void anOperationThatIsMisspeltOrMissingOrTwiceIsNoticedAtTheStart() {
        String text = Documented.DOCUMENT.encode();
        assertRefused(text.replace("\"listTasks\"", "\"listTask\""), "has an operation \"listTask\"");
        assertRefused(text.replace("\"readiness\"", "\"health\""), "has the operation health twice");
        JsonObject without = Documented.DOCUMENT.copy();
        without.getJsonObject("paths").remove("/healthz");
        assertRefused(without.encode(), "has no operation [health]");
    }

    private static void assertRefused(String document, String sentence) {
        var refused = assertThrows(
                IllegalArgumentException.class, () -> ApiDocument.of(document.getBytes(StandardCharsets.UTF_8)));
        assertTrue(String.valueOf(refused.getMessage()).contains(sentence), refused::getMessage);
    }

    @Test
    void anOperationThatNothingCarriesOutOrTwoDoIsNoticedAtTheStart() throws Exception {
        Vertx vertx = Vertx.vertx();
        try {
            var routes = new ApiRoutes(ApiDocument.read());
            for (ApiOperation operation : ApiOperation.values()) {
                if (operation != ApiOperation.API_DOCUMENT && operation != ApiOperation.SEND_SIGNAL) {
                    routes.bind(operation, request -> {});
                }
            }
            var unbound = assertThrows(
                    IllegalStateException.class, () -> routes.add(Router.router(vertx), (place, request) -> {}));
            assertEquals("No handler is bound to [sendSignal]", unbound.getMessage());
            routes.bind(ApiOperation.SEND_SIGNAL, request -> {});
            routes.add(Router.router(vertx), (place, request) -> {});
            assertThrows(IllegalStateException.class, () -> routes.bind(ApiOperation.SEND_SIGNAL, request -> {}));
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void itIsADocumentOfOpenApi31() throws Exception {
        Vertx vertx = Vertx.vertx();
        try {
            OutputUnit result = OpenAPIVersion.V3_1
                    .getRepository(vertx, "app://")
                    .compose(known -> OpenAPIVersion.V3_1.validateContract(vertx, known, Documented.DOCUMENT.copy()))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(60, TimeUnit.SECONDS);
            assertEquals(Boolean.TRUE, result.getValid(), () -> String.valueOf(result.toJson()));
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void everyReferenceLeadsSomewhereAndEverySharedPartIsUsed() {
        String text = Documented.DOCUMENT.encode();
        JsonObject components = Documented.DOCUMENT.getJsonObject("components");
        for (String kind : Set.of("parameters", "headers", "responses", "schemas")) {
            for (String name : components.getJsonObject(kind).fieldNames()) {
                assertTrue(
                        text.contains("\"#/components/" + kind + "/" + name + "\""), kind + "/" + name + " is unused");
            }
        }
        references(Documented.DOCUMENT, new ArrayList<>())
                .forEach(reference ->
                        assertNotNull(Documented.resolved(new JsonObject().put("$ref", reference)), reference));
    }

    private static List<String> references(Object json, List<String> found) {
        if (json instanceof JsonObject object) {
            if (object.getValue("$ref") instanceof String reference) {
                found.add(reference);
            }
            object.forEach(member -> references(member.getValue(), found));
        } else if (json instanceof JsonArray array) {
            array.forEach(element -> references(element, found));
        }
        return found;
    }

    @Test
    void everyExampleIsWhatItsSchemaSays() {
        var shown = new ArrayList<String>();
        examples(Documented.DOCUMENT, "", shown);
        assertTrue(shown.size() >= 12, shown::toString);
    }

    private static void examples(Object json, String at, List<String> shown) {
        if (json instanceof JsonArray array) {
            for (int i = 0; i < array.size(); i++) {
                examples(array.getValue(i), at + "/" + i, shown);
            }
        }
        if (!(json instanceof JsonObject object)) {
            return;
        }
        if (object.getValue("schema") instanceof JsonObject schema) {
            if (object.containsKey("example")) {
                assertNull(Documented.complaint(schema, object.getValue("example")), at);
                shown.add(at);
            }
            for (var example : object.getJsonObject("examples", new JsonObject())) {
                assertNull(Documented.complaint(schema, ((JsonObject) example.getValue()).getValue("value")), at);
                shown.add(at);
            }
        }
        object.forEach(member -> examples(member.getValue(), at + "/" + member.getKey(), shown));
    }

    @Test
    void itsWordsAreThoseOfTheCode() {
        assertWords(
                words("Error", "error", "code"),
                Arrays.stream(FailureCode.values()).map(Enum::name).toList());
        assertWords(
                words("Task", "phase"),
                Arrays.stream(Phase.values())
                        .filter(phase -> phase != Phase.ABSENT)
                        .map(Phase::wireName)
                        .toList());
        assertWords(
                words("Task", "outcome"),
                Arrays.stream(Outcome.values()).map(Outcome::wireName).toList());
        assertWords(
                words("Spawn", "execution_mode"),
                Arrays.stream(ExecutionMode.values())
                        .map(ExecutionMode::wireName)
                        .toList());
        assertWords(
                words("Channel"),
                Arrays.stream(Channel.values()).map(Channel::wireName).toList());
    }

    private static JsonArray words(String schema, String... properties) {
        JsonObject json = Documented.DOCUMENT
                .getJsonObject("components")
                .getJsonObject("schemas")
                .getJsonObject(schema);
        for (String property : properties) {
            json = json.getJsonObject("properties").getJsonObject(property);
        }
        return json.getJsonArray("enum");
    }

    private static void assertWords(JsonArray documented, List<String> known) {
        assertEquals(
                new TreeSet<>(known),
                new TreeSet<>(documented.stream()
                        .filter(word -> word != null)
                        .map(String::valueOf)
                        .toList()));
    }
}
