package io.penstock.engine.recovery;

import io.penstock.engine.session.LaneSlot;
import io.penstock.engine.spawn.linux.OrphanSession;
import org.jspecify.annotations.Nullable;

/**
 * A task that was running when the server before this one died.
 *
 * @param slot its slot, which holds up the tasks behind it in its lane until the dead server's programs are killed; null if its lane is not
 *     known
 */
public record LostTask(OrphanSession orphan, @Nullable LaneSlot slot) {

    String taskId() {
        return orphan.taskId();
    }
}
