package io.penstock.bench.peer;

/** Processes that end with this one, even if a measurement is aborted. */
public final class ChildProcesses {

    private ChildProcesses() {}

    /** Destroying a process that has already ended does nothing. */
    public static Process with(Process process) {
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(process::destroy));
        return process;
    }
}
