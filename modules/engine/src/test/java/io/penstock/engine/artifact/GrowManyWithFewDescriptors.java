package io.penstock.engine.artifact;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program with fewer descriptors than the store would hold open; says how much was stored, and the first error. */
final class GrowManyWithFewDescriptors {
    private GrowManyWithFewDescriptors() {}

    public static void main(String[] args) throws Exception {
        try (ArtifactStore store = ArtifactStore.open(Path.of(args[0]))) {
            List<ArtifactWriter> writers = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                writers.add(store.create("many" + i, Long.MAX_VALUE));
            }
            long stored = 0;
            String error = "none";
            for (int round = 0; round < 2; round++) {
                for (ArtifactWriter writer : writers) {
                    stored += writer.append(ByteBuffer.allocate(10));
                    String its = writer.error();
                    error = its == null ? error : its;
                }
            }
            System.out.println("stored " + stored + ", error " + error + ", all open " + (store.openFiles() == 400));
        }
    }
}
