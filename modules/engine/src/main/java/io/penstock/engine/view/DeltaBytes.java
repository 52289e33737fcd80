package io.penstock.engine.view;

import io.penstock.engine.artifact.Artifact;
import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.artifact.BytesGone;
import io.penstock.frames.Channel;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSpawned;
import java.io.IOException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** Reads the bytes of one task's output. Reads files, so a large number of pieces belongs on a worker. For one thread at a time. */
public final class DeltaBytes {

    /**
     * Consecutive bytes of an output.
     *
     * @param offset the offset of the first byte; larger than the requested one if the bytes there are gone
     */
    public record Piece(long offset, byte[] bytes) {}

    private final ArtifactStore artifacts;
    private final boolean live;
    private final Map<Channel, Artifact> found = new EnumMap<>(Channel.class);
    private final Set<Channel> removed = EnumSet.noneOf(Channel.class);

    /** @param live whether output that is not stored is included while it is in memory */
    public DeltaBytes(ArtifactStore artifacts, boolean live) {
        this.artifacts = artifacts;
        this.live = live;
    }

    /** Reads the available bytes of consecutive deltas of one channel; no bytes if the output has been removed. */
    public Piece of(ToolTaskSpawned spec, ToolTaskOutputDelta first, ToolTaskOutputDelta last) throws IOException {
        Channel channel = first.channel();
        boolean beyond = live && last.truncated();
        int length = (int) ((beyond ? last.bytesTotal() : last.bytesStored()) - first.offset());
        var none = new Piece(first.offset(), new byte[0]);
        if (length <= 0 || removed.contains(channel)) {
            return none;
        }
        try {
            Artifact artifact = found.get(channel);
            if (artifact == null) {
                artifact = artifacts.find(spec.log(channel).artifactId());
                found.put(channel, artifact);
            }
            return beyond
                    ? newest(artifact, first.offset(), length)
                    : new Piece(first.offset(), artifact.read(first.offset(), length));
        } catch (BytesGone e) {
            return new Piece(Math.min(e.first(), first.offset() + length), new byte[0]);
        } catch (Failure e) {
            if (e.code() != FailureCode.ARTIFACT_NOT_FOUND) {
                throw e;
            }
            removed.add(channel);
            return none;
        }
    }

    /** Memory has only the newest output that is not stored. If the beginning of the range is gone, the rest is read. */
    private static Piece newest(Artifact artifact, long offset, int length) throws IOException {
        byte[] bytes = artifact.readLive(offset, length);
        long start = artifact.liveStart();
        long end = offset + length;
        return bytes.length == 0 && start > offset && start < end
                ? new Piece(start, artifact.readLive(start, (int) (end - start)))
                : new Piece(offset, bytes);
    }
}
