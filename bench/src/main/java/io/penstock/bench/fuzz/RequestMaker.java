package io.penstock.bench.fuzz;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Creates valid requests in which a random choice damages a parameter, a header, the body, the path, or HTTP itself.
 */
final class RequestMaker {

    /** Longer waits only slow down the fuzzer. */
    private static final int WAIT_MS = 300;

    private static final List<String> METHODS =
            List.of("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "get");

    private static final List<String> COMMANDS =
            List.of("true", "echo hello; exit 3", "cat", "sleep 2", "seq 1 20000", "printf '\\303'", "kill -9 $$");

    private static final List<String> TOOLS = List.of("artifact_fetch", "artifact_store");

    private static final Map<String, List<JsonObject>> BODIES = Map.of(
            "writeStdin", List.of(new JsonObject().put("chunk_b64", "bHMN"), new JsonObject().put("chunk_b64", "Aw==")),
            "resizeTerminal", List.of(new JsonObject().put("rows", 50).put("cols", 132)),
            "sendSignal", List.of(new JsonObject().put("signal", "WINCH"), new JsonObject().put("signal", "SIGTERM")),
            "cancelTask", List.of(new JsonObject(), new JsonObject().put("reason", "enough")),
            "addWatcher",
                    List.of(
                            new JsonObject().put("regex", "hel+o").put("event", "hello"),
                            new JsonObject()
                                    .put("regex", "1\\n2")
                                    .put("event", "two")
                                    .put("scope", "window"),
                            new JsonObject().put("regex", "(").put("event", "wrong"),
                            new JsonObject()
                                    .put("regex", "1")
                                    .put("event", "one")
                                    .put("from_seq", 0)),
            "answerQuestion", List.of(new JsonObject().put("allow", true).put("reason", "why not")));

    private final Operations operations;
    private final URI server;
    private final String token;
    private final KnownTasks tasks;
    private final OddValues odd;

    RequestMaker(Operations operations, URI server, String token, KnownTasks tasks, SplittableRandom random) {
        this.operations = operations;
        this.server = server;
        this.token = token;
        this.tasks = tasks;
        this.odd = new OddValues(random);
    }

    FuzzRequest next() {
        Operations.Operation operation = odd.one(operations.all());
        String method = operation.method();
        String path = path(operation);
        // A path with an empty part belongs to another operation, or to none.
        Operations.@Nullable Operation named = path.contains("//") || path.endsWith("/") ? null : operation;
        boolean whole = true;
        if (odd.once(25)) {
            method = odd.one(METHODS);
            named = null;
        }
        if (odd.once(15)) {
            path = spoiltPath(path);
            named = null;
        }
        String target = path + query(operation);
        byte[] body = body(operation);
        var head = new StringBuilder();
        String version = odd.once(100) ? odd.one(List.of("HTTP/1.0", "HTTP/2.0", "HTTP/9", "")) : "HTTP/1.1";
        head.append(method)
                .append(' ')
                .append(target)
                .append(' ')
                .append(version)
                .append("\r\n");
        whole = whole && version.equals("HTTP/1.1") && target.length() < 4000;
        headers(operation, head);
        boolean chunked = body.length > 0 && odd.once(5);
        byte[] sent = body;
        if (chunked) {
            head.append("Transfer-Encoding: chunked\r\n");
            boolean broken = odd.once(4);
            whole &= !broken;
            sent = chunks(body, broken);
        } else if (body.length > 0 || method.equals("POST")) {
            int length = body.length;
            if (odd.once(50)) {
                length += odd.below(5) - 2;
                whole = false;
            }
            head.append("Content-Length: ").append(Math.max(0, length)).append("\r\n");
        }
        if (odd.once(60)) {
            head.append(odd.one(List.of(
                    "Content-Length: 5\r\n",
                    "Transfer-Encoding: gzip\r\n",
                    "no colon here\r\n",
                    ": empty\r\n",
                    " folded\r\n",
                    "X-Long: " + "y".repeat(20_000) + "\r\n",
                    "Expect: 100-continue\r\n",
                    "Upgrade: h2c\r\nConnection: Upgrade\r\n")));
            whole = false;
        }
        head.append("\r\n");
        return new FuzzRequest(
                whole ? named : null,
                method,
                target,
                whole,
                OddValues.joined(head.toString().getBytes(StandardCharsets.UTF_8), sent));
    }

    private String path(Operations.Operation operation) {
        String id = operation.path().startsWith("/artifacts") ? artifactId() : taskId();
        return operation
                .path()
                .replace("{id}", id)
                .replace("{name}", odd.once(6) ? encoded(odd.text()) : odd.one(TOOLS))
                .replace("{stream}", odd.once(6) ? encoded(odd.text()) : odd.one(List.of("stdout", "stderr", "pty")));
    }

    private String taskId() {
        return switch (odd.below(8)) {
            case 0 -> UUID.randomUUID().toString();
            case 1 -> encoded(odd.text());
            default -> tasks.any(odd);
        };
    }

    private String artifactId() {
        return switch (odd.below(6)) {
            case 0 -> encoded(odd.text());
            case 1 -> "sha256:" + "0".repeat(64);
            default -> tasks.any(odd) + "." + odd.one(List.of("stdout", "stderr", "pty", "nothing"));
        };
    }

    private String spoiltPath(String path) {
        int at = odd.below(path.length()) + 1;
        return switch (odd.below(9)) {
            case 0 -> path + "/";
            case 1 -> path.replace("/", "//");
            case 2 -> path.substring(0, at) + "%" + path.substring(at);
            case 3 -> path.substring(0, at) + "%zz" + path.substring(at);
            case 4 -> "/x/.." + path;
            case 5 -> path + ";a=b";
            case 6 -> path.substring(0, at) + "%c0%af" + path.substring(at);
            case 7 -> path.toUpperCase(Locale.ROOT);
            default -> "/" + encoded(odd.text()) + path;
        };
    }

    private String query(Operations.Operation operation) {
        String query = operation.parameters().stream()
                .filter(parameter -> parameter.getString("in").equals("query") && odd.once(3))
                .map(parameter -> parameter.getString("name") + "=" + encoded(parameter(parameter)))
                .collect(Collectors.joining("&"));
        if (odd.once(20)) {
            query += odd.one(List.of("&&", "&a=b", "&limit=1&limit=2", "&%", "&=", "&x=%ff"));
        }
        return query.isEmpty() ? "" : "?" + query;
    }

    private String parameter(JsonObject parameter) {
        if (odd.once(4)) {
            return odd.text();
        }
        if (parameter.getString("name").equals("wait")) {
            return Integer.toString(odd.below(WAIT_MS));
        }
        JsonObject schema = parameter.getJsonObject("schema", new JsonObject());
        return String.valueOf(odd.fitting(schema.getMap()));
    }

    private void headers(Operations.Operation operation, StringBuilder head) {
        head.append("Host: ")
                .append(odd.once(60) ? odd.text().replaceAll("[\r\n]", "") : server.getAuthority())
                .append("\r\n");
        if (!odd.once(20)) {
            head.append("Authorization: Bearer ")
                    .append(odd.once(30) ? "wrong" : token)
                    .append("\r\n");
        }
        if (odd.once(40)) {
            head.append("Origin: ")
                    .append(odd.one(List.of("http://evil.example", "null", "http://" + server.getAuthority())))
                    .append("\r\n");
        }
        if (operation.body() != null) {
            head.append("Content-Type: ")
                    .append(
                            odd.once(20)
                                    ? odd.one(List.of(
                                            "text/plain",
                                            "application/json; charset=utf-16",
                                            "multipart/form-data",
                                            ";"))
                                    : "application/json")
                    .append("\r\n");
        }
        for (JsonObject parameter : operation.parameters()) {
            if (parameter.getString("in").equals("header") && odd.once(4)) {
                String value =
                        parameter.getString("name").equals("Range") && odd.once(2) ? range() : parameter(parameter);
                head.append(parameter.getString("name"))
                        .append(": ")
                        .append(value.replaceAll("[\\p{Cntrl}]", ""))
                        .append("\r\n");
            }
        }
    }

    private String range() {
        return odd.one(List.of(
                "bytes=0-0",
                "bytes=-20",
                "bytes=5-",
                "bytes=0-1,3-4,7-9",
                "bytes=9-5",
                "bytes=99999999999-",
                "bytes=" + "0-0,".repeat(500) + "1-1",
                "lines=1-2",
                "bytes=,"));
    }

    private byte[] body(Operations.Operation operation) {
        JsonObject schema = operation.body();
        if (schema == null) {
            return odd.once(40) ? "{}".getBytes(StandardCharsets.US_ASCII) : new byte[0];
        }
        JsonObject body = switch (operation.id()) {
            case "spawnTask" -> spawn();
            case "callTool" -> toolParameters();
            default ->
                odd.one(BODIES.getOrDefault(operation.id(), List.of(new JsonObject())))
                        .copy();
        };
        addOptional(schema, body);
        return odd.once(2) ? body.encode().getBytes(StandardCharsets.UTF_8) : odd.damaged(body);
    }

    private JsonObject spawn() {
        boolean exec = odd.once(4);
        var args = exec
                ? new JsonObject()
                        .put("argv", new JsonArray().add("printf").add("%s\\n").add("hello"))
                : new JsonObject().put("command", odd.one(COMMANDS));
        return new JsonObject()
                .put("tool", exec ? "exec" : odd.one(List.of("bash", "shell")))
                .put("args", args)
                .put("execution_mode", odd.one(List.of("pipes", "pty")))
                .put("timeout_secs", 5);
    }

    /** Of one tool or the other; the path may name either. */
    private JsonObject toolParameters() {
        if (odd.once(3)) {
            return odd.once(2)
                    ? new JsonObject().put("text", odd.text())
                    : new JsonObject().put("bytes_b64", odd.one(List.of("aGVsbG8=", "w6k=", "////", "a", "*")));
        }
        var parameters = new JsonObject()
                .put("id", tasks.any(odd) + "." + odd.one(List.of("stdout", "stderr", "pty")))
                .put("encoding", odd.one(List.of("text", "base64")));
        return odd.once(2)
                ? parameters.put("lines", odd.one(List.of("1-", "2-9", "1-1", "9-1", "-1", "999999999999999-")))
                : parameters.put("offset_bytes", odd.below(300)).put("max_bytes", 1 + odd.below(300));
    }

    /** Adds members that the document has and the body lacks, so that new ones are tried without a change here. */
    private void addOptional(JsonObject schema, JsonObject body) {
        JsonObject properties = schema.getJsonObject("properties", new JsonObject());
        for (Map.Entry<String, Object> property : properties) {
            var each = (JsonObject) property.getValue();
            if (body.getValue(property.getKey()) instanceof JsonObject inner) {
                addOptional(each, inner);
            } else if (!body.containsKey(property.getKey())
                    && !property.getKey().equals("argv")
                    && odd.once(6)) {
                body.put(property.getKey(), odd.fitting(each.getMap()));
            }
        }
    }

    private byte[] chunks(byte[] body, boolean broken) {
        int cut = odd.below(body.length + 1);
        String size = broken ? odd.one(List.of("zz", "-5", "fffffffff", "")) : Integer.toHexString(body.length - cut);
        var text = new StringBuilder();
        if (cut > 0) {
            text.append(Integer.toHexString(cut)).append("\r\n");
        }
        byte[] first = OddValues.joined(
                text.toString().getBytes(StandardCharsets.US_ASCII), java.util.Arrays.copyOf(body, cut));
        byte[] second = java.util.Arrays.copyOfRange(body, cut, body.length);
        byte[] middle = ((cut > 0 ? "\r\n" : "") + (second.length > 0 || broken ? size + "\r\n" : ""))
                .getBytes(StandardCharsets.US_ASCII);
        byte[] end = (second.length > 0 || broken ? "\r\n0\r\n\r\n" : "0\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        return OddValues.joined(OddValues.joined(first, middle), OddValues.joined(second, end));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text.length() > 3000 ? text.substring(0, 3000) : text, StandardCharsets.UTF_8)
                .replace("+", "%20");
    }
}
