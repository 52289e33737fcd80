package io.penstock.engine.spawn;

import io.penstock.frames.Channel;
import java.nio.ByteBuffer;

/** A listener that ignores all events. */
final class IgnoringListener implements RunningProcess.Listener {
    @Override
    public void output(Channel channel, ByteBuffer bytes) {}

    @Override
    public void closed(Channel channel) {}

    @Override
    public void exited(ProcessExit exit) {}
}
