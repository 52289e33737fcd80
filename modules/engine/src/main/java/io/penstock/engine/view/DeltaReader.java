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
 * Gives the frames of one task, in order, the text of their output. A character that two deltas share is shown with the one that
 * ends it. It reads files, a thousand short pieces by a read or two: many frames at once belong on a worker.
 */
public final class DeltaReader {

    /** Of a character that the next bytes may make whole. */
    private static final int MOST_UNFINISHED_BYTES = 3;

    private final ArtifactStore artifacts;
    private final InlineText inline;
    private final boolean live;
    private final Map<Channel, RangeTexts> texts = new EnumMap<>(Channel.class);
    private final Set<Channel> removed = EnumSet.noneOf(Channel.class);
    private @Nullable ToolTaskSpawned spec;

    /** @param live whether what is not stored is shown too, as long as it is in memory */
    public DeltaReader(ArtifactStore artifacts, InlineText inline, boolean live) {
        this.artifacts = artifacts;
        this.inline = inline;
        this.live = live;
    }

    /** For one who begins in the middle: the first frame that others have seen. */
    public void spec(ToolTaskSpawned spec) {
        this.spec = spec;
    }

    /** With all that its text says: where its output has been removed, that it has. */
    public Frame withText(Frame frame) throws IOException {
        if (frame.body() instanceof ToolTaskSpawned spawned) {
            spec = spawned;
        }
        ToolTaskSpawned known = spec;
        return known != null && frame.body() instanceof ToolTaskOutputDelta delta
                ? new Frame(frame.stream(), frame.seq(), frame.timestampMs(), delta.with(text(delta, known)))
                : frame;
    }

    /** The outputs that are not stored any more. */
    public Set<Channel> removed() {
        return removed;
    }

    private DeltaText text(ToolTaskOutputDelta delta, ToolTaskSpawned spec) throws IOException {
        LogRef log = spec.log(delta.channel());
        if (!removed.contains(delta.channel())) {
            try {
                return stored(delta, log, inline.limit(spec));
            } catch (BytesGone e) {
                // Of an output that keeps its tail; later deltas are there.
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
        // Of what is stored by now, that which the frame tells of: so it is the same whenever it is asked for after the
        // end.
        long end = Math.min(limit, live ? delta.bytesTotal() : delta.bytesStored());
        var text = known.endingIn(delta.offset(), delta.bytes(), end);
        boolean missed = delta.truncated() && end - text.offset() - text.length() > MOST_UNFINISHED_BYTES;
        return new DeltaText(text.text(), text.length(), missed || end < delta.bytesTotal(), false, log);
    }
}
