package io.penstock.engine.log.once;

/** A key in memory. Guarded by the gate's lock. */
final class KeyEntry {

    final OwnedKey key;
    KeyState state;

    /** Position of its last record in the journal; negative if this process has written none. */
    long position = -1;

    KeyEntry(OwnedKey key, KeyState state) {
        this.key = key;
        this.state = state;
    }

    boolean isUnderWay() {
        return switch (state) {
            case KeyState.LookingUp _, KeyState.UnderWay _ -> true;
            case KeyState.Answered _, KeyState.Unanswered _, KeyState.Free _ -> false;
        };
    }

    int bytes() {
        return switch (state) {
            case KeyState.Answered answered -> answered.answer().length;
            case KeyState.LookingUp _, KeyState.UnderWay _, KeyState.Unanswered _, KeyState.Free _ -> 0;
        };
    }
}
