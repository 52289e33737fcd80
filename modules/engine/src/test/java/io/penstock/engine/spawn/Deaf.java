package io.penstock.engine.spawn;

import io.penstock.frames.Channel;
import java.nio.ByteBuffer;

/** Does not listen. */
final class Deaf implements RunningProcess.Listener {
    @Override
    public void output(Channel channel, ByteBuffer bytes) {}

    @Override
    public void closed(Channel channel) {}

    @Override
    public void exited(ProcessExit exit) {}
}
