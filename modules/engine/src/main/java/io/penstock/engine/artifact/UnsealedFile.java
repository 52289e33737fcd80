package io.penstock.engine.artifact;

import io.penstock.engine.artifact.file.Gaps;
import io.penstock.engine.artifact.text.LineMark;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An artifact whose server died before sealing it. Only the length of the file is known. The file may end with reserved space that reads as
 * zeros; the frames of the task record the true end.
 */
record UnsealedFile(Path file, LineMark kept, Gaps gaps) implements ArtifactContent {

    @Override
    public long storedBytes() {
        try {
            return Files.size(file);
        } catch (NoSuchFileException e) {
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public @Nullable Sealed sealed() {
        return null;
    }

    @Override
    public LineMark before(long n) {
        return LineMark.START;
    }

    @Override
    public LineMark counted() {
        return kept;
    }
}
