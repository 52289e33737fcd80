package io.penstock.engine.task.agent;

import io.penstock.engine.spawn.RunningProcess;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.function.Consumer;

/** Writes lines to the program, piece by piece as it reads them. */
final class AgentInput {

    /** Half of what a program's input buffers. */
    private static final int PIECE_BYTES = 32 * 1024;

    private final RunningProcess program;
    private final Consumer<String> failed;
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
    private int waitingBytes;
    private boolean writing;
    private boolean closed;

    /** @param failed is given the reason when the program does not take its input */
    AgentInput(RunningProcess program, Consumer<String> failed) {
        this.program = program;
        this.failed = failed;
    }

    void write(byte[] lines) {
        if (closed) {
            return;
        }
        if (waitingBytes + lines.length > AgentLimits.WAITING_INPUT_BYTES) {
            close();
            failed.accept("the agent program does not read its input: " + waitingBytes + " bytes wait for it");
            return;
        }
        waitingBytes += lines.length;
        for (int at = 0; at < lines.length; at += PIECE_BYTES) {
            waiting.add(Arrays.copyOfRange(lines, at, Math.min(lines.length, at + PIECE_BYTES)));
        }
        next();
    }

    /** Nothing more is written. */
    void close() {
        closed = true;
        waiting.clear();
    }

    private void next() {
        byte[] piece = writing ? null : waiting.poll();
        if (piece == null) {
            return;
        }
        writing = true;
        program.write(piece).onComplete(written -> {
            writing = false;
            waitingBytes -= piece.length;
            if (written.succeeded()) {
                next();
            } else if (!closed) {
                // The program is about to end: its exit says why.
                close();
            }
        });
    }
}
