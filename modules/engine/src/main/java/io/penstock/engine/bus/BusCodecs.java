package io.penstock.engine.bus;

import io.penstock.engine.address.Codecs;
import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.log.TaskQuery;
import io.penstock.engine.pump.TaskCommand;
import io.penstock.engine.pump.TaskPage;
import io.penstock.engine.session.Mailbox;
import io.penstock.engine.session.SessionState;
import io.penstock.frames.Frame;
import io.penstock.frames.TaskState;
import io.vertx.core.eventbus.EventBus;
import java.util.List;

/** The codecs of all messages on the bus; Vert.x finds a codec by the exact class of a message. */
public final class BusCodecs {

    private static final List<Class<?>> TYPES = List.of(
            TaskRequest.class,
            TaskCommand.WriteInput.class,
            TaskCommand.CloseInput.class,
            TaskCommand.Resize.class,
            TaskCommand.Signal.class,
            TaskCommand.Watch.class,
            TaskCommand.Pin.class,
            TaskCommand.Cancel.class,
            TaskState.class,
            TaskQuery.class,
            TaskPage.class,
            ReadMailbox.class,
            AcknowledgeMailbox.class,
            Mailbox.Items.class,
            SessionState.class,
            FollowFrames.class,
            FramePage.class,
            Frame.class,
            Refusal.class);

    private BusCodecs() {}

    /** Call it before using the bus. Fails if another engine runs in this Vert.x, since that has the same addresses. */
    public static void add(EventBus bus) {
        Codecs.add(bus, TYPES);
    }

    public static void remove(EventBus bus) {
        Codecs.remove(bus, TYPES);
    }
}
