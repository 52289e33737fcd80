package io.penstock.frames;

import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/** Runs a law with a few fixed seeds and one new seed, or {@code -Dpenstock.laws.fresh=N} new ones. */
final class Seeds {

    private Seeds() {}

    static void each(int cases, Consumer<RandomFrames> law) {
        long[] fresh =
                new Random().longs(Integer.getInteger("penstock.laws.fresh", 1)).toArray();
        System.out.println("fresh seeds: " + Arrays.toString(fresh));
        LongStream.concat(LongStream.of(1, 2, 3, 20_251_118), Arrays.stream(fresh))
                .forEach(seed -> {
                    for (int i = 0; i < cases; i++) {
                        check(seed * 1_000_003 + i, law);
                    }
                });
    }

    private static void check(long seed, Consumer<RandomFrames> law) {
        try {
            law.accept(new RandomFrames(seed));
        } catch (RuntimeException | AssertionError broken) {
            throw new AssertionError("with new RandomFrames(" + seed + "L): " + broken, broken);
        }
    }
}
