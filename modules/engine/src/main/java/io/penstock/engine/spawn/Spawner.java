package io.penstock.engine.spawn;

import io.penstock.frames.Containment;

/** Starts programs. */
public interface Spawner {
    /**
     * Starts a program, or says in one sentence why not. It blocks for about a millisecond, and with a cgroup of its own for as
     * long as the kernel needs to move a process there (tens of milliseconds on a quiet machine): call it on a worker thread.
     */
    RunningProcess spawn(SpawnRequest request) throws SpawnFailure;

    /** What reaches all that a program has started: the best that this machine allows. */
    Containment containment();
}
