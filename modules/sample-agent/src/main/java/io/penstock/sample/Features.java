package io.penstock.sample;

import java.util.Map;

/** The methods that the client offers. */
record Features(boolean writesFiles, boolean runsCommands) {

    static final Features NONE = new Features(false, false);

    /** @param capabilities of the client, as it states them in {@code initialize} */
    static Features of(Map<?, ?> capabilities) {
        return new Features(
                Json.isTrue(Json.in(capabilities, "fs"), "writeTextFile"), Json.isTrue(capabilities, "terminal"));
    }
}
