package io.penstock.bench.fuzz;

import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/**
 * WebSocket frames of a viewer with occasional errors: in the protocol, in JSON, in UTF-8, or in the frames themselves.
 */
final class SocketMessages {

    /**
     * One frame or several.
     *
     * @param malformed whether they violate the WebSocket protocol, so that the server may cut the connection
     */
    record Message(byte[] frames, boolean malformed) {}

    private static final int TEXT = 1;
    private static final int BINARY = 2;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int FIN = 0x80;
    private static final int MASKED = 0x80;
    private static final int MESSAGE_BYTES = 64 << 10;

    private static final List<JsonObject> OBJECTS = List.of(
            new JsonObject().put("type", "stdin").put("op", 1).put("text", "ls\r"),
            new JsonObject().put("type", "stdin").put("op", 2).put("chunk_b64", "bHMN"),
            new JsonObject().put("type", "resize").put("op", 3).put("rows", 50).put("cols", 132),
            new JsonObject().put("type", "size_policy").put("op", 4).put("policy", "leader"),
            new JsonObject().put("type", "signal").put("op", 5).put("signal", "WINCH"),
            new JsonObject().put("type", "cancel").put("op", 6).put("reason", "enough"),
            new JsonObject().put("type", "parsed").put("next_seq", 3),
            new JsonObject().put("type", "hidden"),
            new JsonObject().put("type", "shown"));

    private final OddValues odd;
    private final SplittableRandom random;

    SocketMessages(SplittableRandom random) {
        this.random = random;
        this.odd = new OddValues(random);
    }

    Message next(boolean binary) {
        if (odd.once(12)) {
            return malformed();
        }
        if (binary && !odd.once(4)) {
            byte[] entries = entries();
            return new Message(frame(FIN | BINARY, entries), entries.length > MESSAGE_BYTES);
        }
        JsonObject object = odd.one(OBJECTS);
        byte[] json = odd.once(2) ? object.encode().getBytes(StandardCharsets.UTF_8) : odd.damaged(object);
        boolean large = json.length > MESSAGE_BYTES;
        boolean text = StandardCharsets.UTF_8.newEncoder().canEncode(new String(json, StandardCharsets.UTF_8))
                && !new String(json, StandardCharsets.UTF_8).contains("\ufffd");
        return new Message(frame(FIN | (text ? TEXT : BINARY), json), large);
    }

    static byte[] ping(String content) {
        return frame(FIN | PING, content.getBytes(StandardCharsets.US_ASCII));
    }

    private byte[] entries() {
        var bytes = new ByteArrayOutputStream();
        int count = 1 + odd.below(4);
        for (int i = 0; i < count; i++) {
            int kind = odd.once(8) ? odd.below(256) : 1 + odd.below(3);
            byte[] content = content(kind);
            bytes.write(kind);
            long length = odd.once(12) ? random.nextLong() : content.length;
            bytes.writeBytes(number(length));
            bytes.writeBytes(content);
        }
        byte[] whole = bytes.toByteArray();
        return odd.once(10) ? odd.damaged(whole) : whole;
    }

    private byte[] content(int kind) {
        return switch (kind) {
            case 1 -> OddValues.joined(number(odd.once(6) ? random.nextLong() : odd.below(500)), input());
            case 2 ->
                odd.once(2)
                        ? odd.one(OBJECTS).encode().getBytes(StandardCharsets.UTF_8)
                        : odd.damaged(odd.one(OBJECTS));
            case 3 -> number(odd.once(6) ? random.nextLong() : odd.below(100));
            default -> input();
        };
    }

    private byte[] input() {
        byte[] input = new byte[odd.once(10) ? odd.below(20_000) : odd.below(20)];
        random.nextBytes(input);
        return input;
    }

    /** Seven bits per byte, the lowest first; sometimes a byte longer than necessary, or without its end. */
    private byte[] number(long number) {
        var bytes = new ByteArrayOutputStream();
        long left = number;
        while ((left & ~0x7fL) != 0) {
            bytes.write((int) (left & 0x7f) | 0x80);
            left >>>= 7;
        }
        bytes.write((int) left | (odd.once(200) ? 0x80 : 0));
        return bytes.toByteArray();
    }

    private Message malformed() {
        byte[] some = input();
        return new Message(
                switch (odd.below(9)) {
                    case 0 -> frame(FIN | 0x40 | BINARY, some); // a reserved bit
                    case 1 -> frame(FIN | 3 + odd.below(5), some); // a reserved opcode
                    case 2 -> frame(FIN, some); // a continuation of nothing
                    case 3 -> frame(PING, some); // a fragmented ping
                    case 4 -> frame(FIN | TEXT, new byte[] {(byte) 0xc0, (byte) 0xaf});
                    case 5 -> frame(FIN | BINARY, new byte[MESSAGE_BYTES + 1 + odd.below(MESSAGE_BYTES)]);
                    case 6 -> frame(FIN | CLOSE, new byte[] {(byte) random.nextInt(), (byte) random.nextInt(), 65});
                    case 7 ->
                        ByteBuffer.allocate(14)
                                .put((byte) (FIN | BINARY))
                                .put((byte) (MASKED | 127))
                                .putLong(1L << (32 + odd.below(31)))
                                .putInt(0)
                                .array();
                    default -> new byte[] {(byte) (FIN | BINARY), 1, 65}; // not masked
                },
                true);
    }

    /** Masked with zeros, which changes nothing. */
    private static byte[] frame(int first, byte[] content) {
        var frame = ByteBuffer.allocate(content.length + 14);
        frame.put((byte) first);
        if (content.length < 126) {
            frame.put((byte) (MASKED | content.length));
        } else if (content.length < 1 << 16) {
            frame.put((byte) (MASKED | 126)).putShort((short) content.length);
        } else {
            frame.put((byte) (MASKED | 127)).putLong(content.length);
        }
        frame.putInt(0).put(content).flip();
        byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        return bytes;
    }
}
