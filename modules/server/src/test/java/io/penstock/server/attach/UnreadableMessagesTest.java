package io.penstock.server.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.ByteWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Unreadable messages of viewers are refused, and the next message is still accepted. */
class UnreadableMessagesTest extends OneLivingTask {

    @Test
    void invalidTextIsRefusedAndTheNextMessageAccepted() throws IOException {
        try (var viewer = json("tail=0").open()) {
            var bad = List.of(new byte[] {(byte) 0xff, (byte) 0xfe}, new byte[] {'"', (byte) 0xc3}, new byte[] {
                (byte) 0xed, (byte) 0xa0, (byte) 0x80
            });
            for (byte[] each : bad) {
                viewer.send(BareSocket.TEXT, false, each);
            }
            viewer.send(typed(1, "right"));
            List<String> lines = viewer.until("got right");
            assertEquals(
                    bad.size(),
                    lines.stream()
                            .filter(line -> line.contains("attach_refused"))
                            .count());
        }
    }

    @Test
    void nonObjectsAreRefusedAndTheNextMessageAccepted() throws IOException {
        try (var viewer = json("tail=0").open()) {
            List<String> wrong = List.of(
                    "",
                    " ",
                    "null",
                    "1",
                    "\"stdin\"",
                    "[]",
                    "{}",
                    "[".repeat(15_000),
                    "{\"a\":".repeat(3_000),
                    "{\"type\":null}",
                    "{\"type\":1}",
                    "{\"type\":\"stdin\"}",
                    "{\"type\":\"stdin\",\"op\":0,\"text\":\"x\"}",
                    "{\"type\":\"stdin\",\"op\":-1,\"text\":\"x\"}",
                    "{\"type\":\"stdin\",\"op\":1.5,\"text\":\"x\"}",
                    "{\"type\":\"stdin\",\"op\":1e400,\"text\":\"x\"}",
                    "{\"type\":\"stdin\",\"op\":9223372036854775808,\"text\":\"x\"}",
                    "{\"type\":\"stdin\",\"op\":\"1\",\"text\":\"x\"}",
                    "{\"type\":\"stdin\",\"op\":1,\"op\":2,\"text\":\"x\"}",
                    "{\"type\":\"stdin\",\"op\":1,\"text\":\"x\",\"chunk_b64\":\"eA==\"}",
                    "{\"type\":\"stdin\",\"op\":1,\"chunk_b64\":\"?\"}",
                    "{\"type\":\"resize\",\"op\":1,\"rows\":0,\"cols\":80}",
                    "{\"type\":\"resize\",\"op\":1,\"rows\":80}",
                    "{\"type\":\"parsed\",\"next_seq\":-1}",
                    "{\"type\":\"parsed\",\"next_seq\":9223372036854775807}",
                    "{\"type\":\"shown\",\"x\":1}",
                    "{\"type\":\"signal\",\"op\":1,\"signal\":\"NONE\"}",
                    "{\"type\":\"cancel\",\"op\":0}",
                    "{\"type\":\"\\ud800\"}",
                    "\u0000");
            viewer.send(wrong);
            viewer.send(typed(1, "right"));
            List<String> lines = viewer.until("got right");
            assertEquals(
                    wrong.size(),
                    lines.stream()
                            .filter(line -> line.contains("attach_refused"))
                            .count(),
                    lines::toString);
            // Valid JSON, but sent as bytes.
            viewer.send(BareSocket.BINARY, false, typed(2, "x").getBytes(StandardCharsets.UTF_8));
            viewer.until("Messages in this subprotocol are text");
        }
    }

    @Test
    void garbageEntriesAreRefusedAndTheNextMessageAccepted() throws IOException {
        var random = new Random(1);
        try (var viewer = new BareSocket(server, "/tasks/" + task + "/attach?tail=0", "penstock.v1.binary").open()) {
            var bad = new ArrayList<byte[]>();
            bad.add(new byte[] {1});
            bad.add(new byte[] {1, (byte) 0x80});
            bad.add(new byte[] {0, 0});
            bad.add(new byte[] {9, 1, 1});
            bad.add(new byte[] {(byte) 0xff, 0});
            bad.add(new byte[] {1, 0});
            bad.add(new byte[] {3, 0});
            bad.add(new byte[] {2, 0});
            bad.add(new byte[] {1, 1, (byte) 0x80});
            bad.add(new byte[] {1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1});
            bad.add(new byte[] {1, -1, -1, -1, -1, 7, 1, 'x'});
            bad.add(new byte[] {1, -1, -1, -1, -1, -1, -1, -1, -1, 127, 1, 'x'});
            bad.add(new byte[] {3, 9, -1, -1, -1, -1, -1, -1, -1, -1, -1});
            for (int i = 0; i < 3000; i++) {
                byte[] rubbish = new byte[1 + random.nextInt(40)];
                random.nextBytes(rubbish);
                // Existing kinds, more often than by chance, but never a valid input.
                rubbish[0] = (byte) (random.nextInt(3) == 0 ? 2 : rubbish[0] | 4);
                bad.add(rubbish);
            }
            for (byte[] each : bad) {
                viewer.send(BareSocket.BINARY, false, each);
            }
            var entry = new ByteWriter();
            entry.writeNumber(7);
            byte[] text = "right\n".getBytes(StandardCharsets.UTF_8);
            var message = new ByteWriter();
            message.writeByte(1);
            message.writeNumber(entry.length() + (long) text.length);
            byte[] head = message.toByteArray();
            byte[] op = entry.toByteArray();
            byte[] all = new byte[head.length + op.length + text.length];
            System.arraycopy(head, 0, all, 0, head.length);
            System.arraycopy(op, 0, all, head.length, op.length);
            System.arraycopy(text, 0, all, head.length + op.length, text.length);
            viewer.send(BareSocket.BINARY, false, all);
            int refused = 0;
            while (true) {
                BareSocket.Message next = viewer.next();
                assertTrue(next.opcode() != BareSocket.CLOSE, "closed with " + next.closeCode());
                refused += next.text().split("attach_refused", -1).length - 1;
                if (next.text().contains("\"attach_done\",\"op\":7")) {
                    break;
                }
            }
            assertEquals(bad.size(), refused);
        }
    }
}
