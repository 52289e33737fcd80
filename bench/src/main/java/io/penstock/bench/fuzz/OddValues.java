package io.penstock.bench.fuzz;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Values that programs get wrong: of the wrong type, at the edges, too long, badly encoded. */
final class OddValues {

    private static final List<String> TEXTS = List.of(
            "",
            " ",
            "0",
            "-1",
            "1e999",
            "NaN",
            "null",
            "true",
            "[]",
            "{}",
            "\u0000",
            "a\u0000b",
            "\r\nx-injected: 1",
            "..",
            "../../../etc/passwd",
            "/",
            "//",
            "/dev/zero",
            "a/b",
            "%",
            "%00",
            "%2e%2e%2f",
            "'\"`$(:)",
            "\u202eevil",
            "\ud83d\ude00",
            "\uffff\ufffe",
            "e\u0301\u0301\u0301",
            "\u001b]0;title\u0007\u001b[2J",
            "9007199254740992",
            "9223372036854775807",
            "18446744073709551616",
            "0x10",
            "1,2",
            "bytes=0-0,5-1",
            "*",
            "sha256:" + "0".repeat(64));

    private static final List<Object> NUMBERS = List.of(
            0,
            -1,
            1,
            255,
            65_536,
            Integer.MAX_VALUE,
            Integer.MIN_VALUE,
            9_007_199_254_740_992L,
            Long.MAX_VALUE,
            Long.MIN_VALUE,
            0.5,
            1e300,
            -0.0);

    /** Bytes that are not UTF-8: a lone continuation, an overlong slash, half a surrogate, a truncated character. */
    private static final List<byte[]> NOT_UTF8 = List.of(
            new byte[] {(byte) 0x80},
            new byte[] {(byte) 0xc0, (byte) 0xaf},
            new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
            new byte[] {(byte) 0xf0, (byte) 0x9f});

    private final SplittableRandom random;

    OddValues(SplittableRandom random) {
        this.random = random;
    }

    <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    boolean once(int in) {
        return random.nextInt(in) == 0;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    String text() {
        return switch (random.nextInt(8)) {
            case 0 -> "x".repeat(1 << random.nextInt(18));
            case 1 -> "\u00e9".repeat(random.nextInt(5000));
            case 2 -> Long.toString(random.nextLong());
            default -> one(TEXTS);
        };
    }

    @Nullable
    Object value() {
        return switch (random.nextInt(8)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2, 3 -> one(NUMBERS);
            case 4 -> new JsonArray().add(one(TEXTS)).add(one(NUMBERS));
            case 5 -> new JsonObject().put(one(TEXTS), one(NUMBERS));
            default -> text();
        };
    }

    /** A body with one or a few errors. */
    byte[] damaged(JsonObject json) {
        JsonObject copy = json.copy();
        int times = 1 + random.nextInt(3);
        for (int i = 0; i < times; i++) {
            damage(copy);
        }
        byte[] bytes = copy.encode().getBytes(StandardCharsets.UTF_8);
        return once(4) ? damaged(bytes) : bytes;
    }

    private void damage(JsonObject json) {
        List<String> names = List.copyOf(json.fieldNames());
        if (names.isEmpty() || once(5)) {
            json.put(one(TEXTS), value());
            return;
        }
        String name = one(names);
        Object old = json.getValue(name);
        if (old instanceof JsonObject inner && !once(4)) {
            damage(inner);
        } else if (once(4)) {
            json.remove(name);
        } else {
            json.put(name, value());
        }
    }

    /** Damage below JSON: truncated, doubled, nested too deep, or not even text. */
    byte[] damaged(byte[] bytes) {
        return switch (random.nextInt(7)) {
            case 0 -> java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
            case 1 -> joined(bytes, bytes);
            case 2 -> joined(new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf}, bytes);
            case 3 -> "[".repeat(1 << random.nextInt(17)).getBytes(StandardCharsets.US_ASCII);
            case 4 -> {
                byte[] flipped = bytes.clone();
                for (int i = 0; i < 4 && flipped.length > 0; i++) {
                    flipped[random.nextInt(flipped.length)] = (byte) random.nextInt();
                }
                yield flipped;
            }
            case 5 -> joined(bytes, one(NOT_UTF8));
            default -> new byte[0];
        };
    }

    /** A value that the schema allows, or almost. */
    @Nullable
    Object fitting(Map<String, Object> schema) {
        Object allowed = schema.get("enum");
        if (allowed instanceof JsonArray values && !values.isEmpty()) {
            return values.getValue(random.nextInt(values.size()));
        }
        Object type = schema.get("type");
        String named = type instanceof JsonArray types ? types.getString(random.nextInt(types.size())) : (String) type;
        if ("integer".equals(named)) {
            long least = schema.get("minimum") instanceof Number number ? number.longValue() : 0;
            long most = schema.get("maximum") instanceof Number number ? number.longValue() : 1000;
            return switch (random.nextInt(4)) {
                case 0 -> least;
                case 1 -> most;
                case 2 -> least + random.nextLong(Math.max(1, Math.min(most - least, 300)));
                default -> once(2) ? least - 1 : most + 1;
            };
        }
        return once(3) ? value() : "fuzz";
    }

    static byte[] joined(byte[] first, byte[] second) {
        byte[] both = java.util.Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
