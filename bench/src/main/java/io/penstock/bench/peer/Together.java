package io.penstock.bench.peer;

/** Processes that end with this one, also when a measurement is broken off. */
public final class Together {

    private Together() {}

    /** Ended once more when it has ended already does nothing. */
    public static Process with(Process process) {
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(process::destroy));
        return process;
    }
}
