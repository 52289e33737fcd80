package io.penstock.bench.log;

import io.penstock.frames.ByteWriter;
import io.penstock.frames.Channel;
import io.penstock.frames.FrameBody;
import io.penstock.frames.StoredForm;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.ToolTaskOutputDelta;
import java.util.Random;

/**
 * Frames to append, prepared in advance and the same in every run.
 *
 * @param streamOf for each frame, the index of its stream
 */
record FrameLoad(String name, int streams, FrameBody[] bodies, int[] streamOf) {

    private static final int SEED = 7;

    /** In the mix, one frame in this many is a notice; the others are output. */
    private static final int NOTICE_EVERY = 20;

    private static final String SENTENCE = "The pipe is still held by a process that the task has left behind. ";

    /** The frames of a busy node: output by reference, about 10 bytes each, and an occasional notice of about 200. */
    static FrameLoad mix(int frames, int streams) {
        var random = new Random(SEED);
        var bodies = new FrameBody[frames];
        var streamOf = new int[frames];
        var offsets = new long[streams];
        for (int i = 0; i < frames; i++) {
            int stream = random.nextInt(streams);
            streamOf[i] = stream;
            if (random.nextInt(NOTICE_EVERY) == 0) {
                bodies[i] = notice(170 + random.nextInt(60));
            } else {
                int bytes = 1 + random.nextInt(4096);
                long offset = offsets[stream];
                offsets[stream] += bytes;
                bodies[i] = new ToolTaskOutputDelta(Channel.PTY, offset, bytes, offset + bytes);
            }
        }
        return new FrameLoad("mix", streams, bodies, streamOf);
    }

    /** Every body has 200 bytes, as in the figures that the design is based on. */
    static FrameLoad large(int frames, int streams) {
        var random = new Random(SEED);
        var bodies = new FrameBody[frames];
        var streamOf = new int[frames];
        FrameBody body = notice(200);
        for (int i = 0; i < frames; i++) {
            streamOf[i] = random.nextInt(streams);
            bodies[i] = body;
        }
        return new FrameLoad("200 B", streams, bodies, streamOf);
    }

    private static FrameBody notice(int bytes) {
        // The code takes 5 bytes with its length, the length of the message 2.
        return new TaskNotice("held", SENTENCE.repeat(4).substring(0, bytes - 7));
    }

    int frames() {
        return bodies.length;
    }

    double averageBytes() {
        var out = new ByteWriter();
        long sum = 0;
        for (FrameBody body : bodies) {
            out.clear();
            StoredForm.write(body, out);
            sum += out.length();
        }
        return (double) sum / bodies.length;
    }
}
