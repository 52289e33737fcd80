package io.penstock.engine.pump;

import io.penstock.engine.artifact.Artifact;
import io.penstock.engine.artifact.ArtifactStore;
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

/** Gives pieces of one task's output their bytes. It reads files: many at once belong on a worker. For one thread at a time. */
public final class DeltaBytes {

    private static final byte[] NONE = {};

    private final ArtifactStore artifacts;
    private final Map<Channel, Artifact> found = new EnumMap<>(Channel.class);
    private final Set<Channel> removed = EnumSet.noneOf(Channel.class);

    DeltaBytes(ArtifactStore artifacts) {
        this.artifacts = artifacts;
    }

    /** Those that are stored, of pieces that follow each other in one channel; none where the output has been removed. */
    public byte[] of(ToolTaskSpawned spec, ToolTaskOutputDelta first, ToolTaskOutputDelta last) throws IOException {
        Channel channel = first.channel();
        int length = (int) (last.bytesStored() - first.offset());
        if (length <= 0 || removed.contains(channel)) {
            return NONE;
        }
        try {
            Artifact artifact = found.get(channel);
            if (artifact == null) {
                artifact = artifacts.find(spec.log(channel).artifactId());
                found.put(channel, artifact);
            }
            return artifact.read(first.offset(), length);
        } catch (Failure e) {
            if (e.code() != FailureCode.ARTIFACT_NOT_FOUND) {
                throw e;
            }
            removed.add(channel);
            return NONE;
        }
    }
}
