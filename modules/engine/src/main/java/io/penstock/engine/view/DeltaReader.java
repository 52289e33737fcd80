package io.penstock.engine.view;

import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.artifact.BytesGone;
import io.penstock.engine.artifact.RangeTexts;
import io.penstock.frames.Channel;
import io.penstock.frames.DeltaText;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
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
 * Adds text to the output frames of one task, in order. A character that two deltas share belongs to the one that ends
 * it. Reads files, a thousand short pieces in one or two reads, so a large number of frames belongs on a worker.
 */
public final class DeltaReader {

    /** The longest start of a UTF-8 character that the next delta may complete. */
    private static final int UNFINISHED_CHARACTER_BYTES = 3;

    private final ArtifactStore artifacts;
    private final InlineText inline;
    private final boolean live;
    private final Map<Channel, RangeTexts> texts = new EnumMap<>(Channel.class);
    private final Set<Channel> removed = EnumSet.noneOf(Channel.class);
    private @Nullable ToolTaskSpawned spec;

    /** @param live whether output that is not stored is included while it is in memory */
    public DeltaReader(ArtifactStore artifacts, InlineText inline, boolean live) {
        this.artifacts = artifacts;
        this.inline = inline;
        this.live = live;
    }

    /** Sets the task's spec, for a reader that does not start with the frame that contains it. */
    public void spec(ToolTaskSpawned spec) {
        this.spec = spec;
    }

    /** The frame with its text; if the output has been removed, with a text that says so. */
    public Frame withText(Frame frame) throws IOException {
        if (frame.body() instanceof ToolTaskSpawned spawned) {
            spec = spawned;
        }
        ToolTaskSpawned known = spec;
        return known != null && frame.body() instanceof ToolTaskOutputDelta delta
                ? new Frame(frame.stream(), frame.seq(), frame.timestampMs(), delta.with(text(delta, known)))
                : frame;
    }

    /** The channels found to have been removed. */
    public Set<Channel> removed() {
        return removed;
    }

    private DeltaText text(ToolTaskOutputDelta delta, ToolTaskSpawned spec) throws IOException {
        LogRef log = spec.log(delta.channel());
        if (!removed.contains(delta.channel())) {
            try {
                return stored(delta, log, inline.limit(spec));
            } catch (BytesGone e) {
                // The output keeps its tail, so later deltas still have their bytes.
                return new DeltaText("", 0, true, true, log);
            } catch (Failure e) {
                if (e.code() != FailureCode.ARTIFACT_NOT_FOUND) {
                    throw e;
                }
                removed.add(delta.channel());
            }
        }
        return new DeltaText("", 0, true, true, log);
    }

    private DeltaText stored(ToolTaskOutputDelta delta, LogRef log, long limit) throws IOException {
        RangeTexts known = texts.get(delta.channel());
        if (known == null) {
            known = artifacts.find(log.artifactId()).rangeTexts(live);
            texts.put(delta.channel(), known);
        }
        // Only bytes that the frame counts as stored, so that the text is the same whenever it is read after the end.
        long end = Math.min(limit, live ? delta.bytesTotal() : delta.bytesStored());
        var text = known.endingIn(delta.offset(), delta.bytes(), end);
        boolean missed = delta.truncated() && end - text.offset() - text.length() > UNFINISHED_CHARACTER_BYTES;
        return new DeltaText(text.text(), text.length(), missed || end < delta.bytesTotal(), false, log);
    }
}
