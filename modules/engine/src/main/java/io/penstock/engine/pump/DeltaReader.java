package io.penstock.engine.pump;

import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.artifact.RangeTexts;
import io.penstock.frames.Channel;
import io.penstock.frames.DeltaText;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.LogRef;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSpawned;
import java.io.IOException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives the frames of one task, in order, the text of their output. A character that two deltas share is shown with the one that
 * ends it. It reads files, a thousand short pieces by a read or two: many frames at once belong on a worker.
 */
public final class DeltaReader {

    /** What stands for bytes that are no UTF-8. */
    private static final char NO_UTF8 = '\ufffd';

    private final ArtifactStore artifacts;
    private final Map<Channel, RangeTexts> texts = new EnumMap<>(Channel.class);
    private final Set<Channel> removed = EnumSet.noneOf(Channel.class);
    private @Nullable ToolTaskSpawned spec;

    DeltaReader(ArtifactStore artifacts) {
        this.artifacts = artifacts;
    }

    /** For one who begins in the middle: the first frame that others have seen. */
    public void spec(ToolTaskSpawned spec) {
        this.spec = spec;
    }

    /** As it is, where its output has been removed: that something was written is told all the same. */
    public Frame withText(Frame frame) throws IOException {
        if (frame.body() instanceof ToolTaskSpawned spawned) {
            spec = spawned;
        }
        ToolTaskSpawned known = spec;
        if (known == null
                || !(frame.body() instanceof ToolTaskOutputDelta delta)
                || removed.contains(delta.channel())) {
            return frame;
        }
        try {
            return new Frame(frame.stream(), frame.seq(), frame.timestampMs(), delta.with(text(delta, known)));
        } catch (Failure e) {
            if (e.code() != FailureCode.ARTIFACT_NOT_FOUND) {
                throw e;
            }
            removed.add(delta.channel());
            return frame;
        }
    }

    /** The outputs of which text was wanted that is not there any more. */
    public Set<Channel> removed() {
        return removed;
    }

    private DeltaText text(ToolTaskOutputDelta delta, ToolTaskSpawned spec) throws IOException {
        LogRef log = spec.log(delta.channel());
        RangeTexts known = texts.get(delta.channel());
        if (known == null) {
            known = artifacts.find(log.artifactId()).rangeTexts();
            texts.put(delta.channel(), known);
        }
        var text = known.endingIn(delta.offset(), delta.bytes(), Limits.DELTA_INLINE_BYTES);
        return new DeltaText(fitting(text.text()), log);
    }

    /** Bytes that are no UTF-8 become longer as text, each of them three bytes. */
    private static String fitting(String text) {
        if (text.indexOf(NO_UTF8) < 0) {
            return text;
        }
        int bytes = 0;
        for (int at = 0; at < text.length(); ) {
            int character = text.codePointAt(at);
            bytes += character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
            if (bytes > Limits.DELTA_INLINE_BYTES) {
                return text.substring(0, at);
            }
            at += Character.charCount(character);
        }
        return text;
    }
}
