package io.penstock.engine.spawn.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class UsageSamplerTest {

    @Test
    void aProgramOfADayIsMeasuredSomeHundredTimes() {
        int samples = 0;
        for (long age = 0; age < TimeUnit.DAYS.toNanos(1); age += UsageSampler.intervalNanos(age)) {
            samples++;
        }
        assertTrue(samples > 300 && samples < 700, "samples: " + samples);
    }

    @Test
    void aYoungProgramIsMeasuredEveryTwoSeconds() {
        assertEquals(TimeUnit.SECONDS.toNanos(2), UsageSampler.intervalNanos(0));
        assertEquals(TimeUnit.SECONDS.toNanos(2), UsageSampler.intervalNanos(TimeUnit.SECONDS.toNanos(100)));
        assertEquals(TimeUnit.SECONDS.toNanos(10), UsageSampler.intervalNanos(TimeUnit.MINUTES.toNanos(10)));
        assertEquals(TimeUnit.MINUTES.toNanos(5), UsageSampler.intervalNanos(TimeUnit.DAYS.toNanos(30)));
    }
}
