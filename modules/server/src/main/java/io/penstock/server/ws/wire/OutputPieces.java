package io.penstock.server.ws.wire;

import io.penstock.engine.view.DeltaBytes;
import io.penstock.frames.Channel;
import io.penstock.frames.Frame;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSpawned;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Replaces output frames by their bytes: consecutive frames of one channel become one piece. */
public final class OutputPieces {

    /** Output, or another frame. */
    sealed interface Part {
        /** @param bytes the bytes of the frames from {@code firstFrame} to {@code lastFrame} that are available */
        record Output(Frame firstFrame, Frame lastFrame, Channel channel, long offset, byte[] bytes) implements Part {}

        record Other(Frame frame) implements Part {}
    }

    private final DeltaBytes source;
    private @Nullable ToolTaskSpawned spec;

    public OutputPieces(DeltaBytes source, @Nullable ToolTaskSpawned spec) {
        this.source = source;
        this.spec = spec;
    }

    void spec(ToolTaskSpawned spec) {
        this.spec = spec;
    }

    List<Part> parts(List<Frame> frames) throws IOException {
        var parts = new ArrayList<Part>();
        for (int at = 0; at < frames.size(); ) {
            Frame frame = frames.get(at);
            if (frame.body() instanceof ToolTaskSpawned spawned) {
                spec = spawned;
            }
            if (!(frame.body() instanceof ToolTaskOutputDelta first)) {
                parts.add(new Part.Other(frame));
                at++;
                continue;
            }
            int end = at + 1;
            ToolTaskOutputDelta last = first;
            while (end < frames.size()
                    && frames.get(end).body() instanceof ToolTaskOutputDelta next
                    && next.channel() == first.channel()) {
                last = next;
                end++;
            }
            ToolTaskSpawned known = spec;
            if (known == null) {
                throw new IllegalStateException("Output of " + frame.stream() + " precedes its spawn");
            }
            DeltaBytes.Piece piece = source.of(known, first, last);
            parts.add(new Part.Output(frame, frames.get(end - 1), first.channel(), piece.offset(), piece.bytes()));
            at = end;
        }
        return parts;
    }
}
