package io.penstock.engine.log.journal;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The result of opening a journal: where its whole records end, how many bytes were cut there and into which file,
 * which later segments were set aside, and a sentence for each finding that concerns the user.
 */
public record Recovery(
        long position, long bytesCut, Optional<Path> cutFile, List<Path> setAside, List<String> sentences) {
    public Recovery {
        setAside = List.copyOf(setAside);
        sentences = List.copyOf(sentences);
        if (bytesCut < 0 || bytesCut > 0 != cutFile.isPresent()) {
            throw new IllegalArgumentException("recovery with " + bytesCut + " bytes cut into " + cutFile
                    + "; bytes that are cut are always kept in a file");
        }
    }

    /** Whether there is nothing to report. */
    public boolean clean() {
        return sentences.isEmpty();
    }
}
