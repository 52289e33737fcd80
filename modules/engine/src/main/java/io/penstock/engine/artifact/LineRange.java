package io.penstock.engine.artifact;

/**
 * Whole lines of an artifact, counted from 1, each with the line feed that ends it; the very last line may have none.
 *
 * @param last the last line that is in the bytes; one less than {@code first} when there are none
 */
public record LineRange(long first, long last, ByteRange bytes) {

    public LineRange {
        if (first < 1 || last < first - 1) {
            throw new IllegalArgumentException("Lines count from 1 upwards, unlike " + first + " to " + last);
        }
    }
}
