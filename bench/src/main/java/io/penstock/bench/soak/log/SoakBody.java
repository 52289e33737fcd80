package io.penstock.bench.soak.log;

import io.penstock.frames.Actor;
import io.penstock.frames.ByteWriter;
import io.penstock.frames.Channel;
import io.penstock.frames.FrameBody;
import io.penstock.frames.JsonText;
import io.penstock.frames.StoredForm;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskStdinWritten;
import io.penstock.frames.UnknownFrame;
import java.util.Base64;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * The bodies of a soak: each is derived from its stream, seq and writer, so that a reader can check whether a frame is
 * in its place, even one that was never reported as accepted.
 */
final class SoakBody {

    private static final String FILLING = filling();

    private SoakBody() {}

    /** @param writer the number of the writer, which a soak's frames carry as their time */
    static FrameBody of(String stream, long seq, long writer) {
        var random = new SplittableRandom(stream.hashCode() * 31L + seq * 1_000_003 + (writer << 20));
        int kind = random.nextInt(1000);
        if (kind < 500) {
            return notice(stream, seq, writer, random, random.nextInt(200));
        }
        if (kind < 850) {
            int bytes = random.nextInt(1, 65_537);
            long offset = random.nextLong(1L << 40);
            return new ToolTaskOutputDelta(Channel.PTY, offset, bytes, offset + bytes);
        }
        if (kind < 950) {
            var bytes = new byte[random.nextInt(1, 512)];
            random.nextBytes(bytes);
            String chunk = Base64.getEncoder().encodeToString(bytes);
            return new ToolTaskStdinWritten(bytes.length, chunk, Actor.user(stream));
        }
        if (kind < 998) {
            return notice(stream, seq, writer, random, random.nextInt(3_900));
        }
        return new UnknownFrame(
                "soak_large", new JsonText("{\"text\":\"" + text(random, random.nextInt(60_000)) + "\"}"));
    }

    private static FrameBody notice(String stream, long seq, long writer, SplittableRandom random, int length) {
        return new TaskNotice("soak", stream + " " + seq + " " + writer + " " + text(random, length));
    }

    private static String text(SplittableRandom random, int length) {
        int from = random.nextInt(FILLING.length() - length);
        return FILLING.substring(from, from + length);
    }

    static int checksum(FrameBody body) {
        var stored = new ByteWriter();
        StoredForm.write(body, stored);
        var crc = new CRC32C();
        crc.update(stored.array(), 0, stored.length());
        return (int) crc.getValue();
    }

    private static String filling() {
        var text = new StringBuilder();
        var random = new SplittableRandom(7);
        while (text.length() < 1 << 17) {
            text.append((char) random.nextInt('a', 'z' + 1));
            if (random.nextInt(9) == 0) {
                text.append("é→ ".charAt(random.nextInt(3)));
            }
        }
        return text.toString();
    }
}
