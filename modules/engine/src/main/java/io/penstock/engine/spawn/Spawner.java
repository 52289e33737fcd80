package io.penstock.engine.spawn;

import io.penstock.frames.Containment;

/** Starts programs. */
public interface Spawner {
    /**
     * Starts a program, or fails with a sentence that says why not. Blocks for about a millisecond; with a cgroup of its own, for as long
     * as the kernel needs to move a process there (tens of milliseconds on a quiet machine). Call it on a worker thread.
     */
    RunningProcess spawn(SpawnRequest request) throws SpawnFailure;

    /** The containment of started programs: the best that this machine supports. */
    Containment containment();
}
