package io.penstock.engine.watch;

/** The progress of a task's watchers, shared by its channels. */
final class WatchProgress {

    private final int all;
    private final long[] unsearched;
    private int finished;

    WatchProgress(WatchPlan plan) {
        int count = plan.watches().size();
        all = (1 << count) - 1;
        unsearched = new long[count];
    }

    void hit(WatchPlan.Watch watch) {
        if (watch.spec().once()) {
            finish(watch.index());
        }
    }

    void finish(int watcher) {
        finished |= 1 << watcher;
    }

    boolean finished(int watcher) {
        return (finished & 1 << watcher) != 0;
    }

    /** Those of these watchers, as bits, that still report. */
    int unfinished(int watchers) {
        return watchers & ~finished;
    }

    boolean finished() {
        return finished == all;
    }

    void unsearched(int watcher, long bytes) {
        unsearched[watcher] += bytes;
    }

    long unsearched(int watcher) {
        return unsearched[watcher];
    }
}
