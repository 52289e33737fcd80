package io.penstock.server.ws;

import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.screen.RenderedScreen;
import io.penstock.engine.view.FollowRange;
import io.penstock.frames.Channel;
import io.penstock.frames.Frame;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.server.ws.wire.ServerMessages;
import io.penstock.server.ws.wire.WsLimits;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Decides how one goes on who has fallen behind, or was hidden: with all frames, or with a screen for the output. Lives on the viewer's context. */
final class CatchUp {

    /** What stands for output that is left out. */
    interface ScreenSource {
        /** The screen as it is now. */
        Future<RenderedScreen> screen();

        /** How much output there is by now, as far as it is stored; -1 where the task has to be asked. */
        long written();

        /** All from one frame to another, with both, that is no output; null where the log has to be asked. */
        @Nullable
        List<Frame> beside(long fromSeq, long lastSeq);
    }

    /** Who goes on. */
    interface Target {
        void send(JsonObject news);

        /** The frame that it would be shown next. */
        long nextSeq();

        /**
         * Output is left out up to this screen, which is shown in its place.
         *
         * @param beside all that is to be shown up to there; null where that has to be read
         */
        void jumpTo(RenderedScreen screen, @Nullable List<Frame> beside);

        /** There is room again, as far as this is concerned. */
        void resume();

        void failed(@Nullable Throwable why);

        boolean isOver();

        /** Whether it is shown what is live, and not still what was there when it came. */
        boolean hasCaughtUp();
    }

    private final ViewerContext steps;
    private final TaskApi tasks;
    private final FollowRange following;
    private final SkippedOutput leftOut;
    private final boolean whenBehind;
    private final ScreenSource standing;
    private final Target jumper;
    private long askedAt = -1;

    /** Where a screen was wanted last that could not be made: from there it goes on with frames. */
    private long refusedAt = -1;

    private boolean asking;
    private boolean hasJumped;
    private long jumpedNanos;

    /**
     * @param whenBehind whether it takes a screen for output that it has fallen far behind of
     */
    CatchUp(
            ViewerContext steps,
            TaskApi tasks,
            FollowRange following,
            SkippedOutput leftOut,
            boolean whenBehind,
            ScreenSource standing,
            Target jumper) {
        this.steps = steps;
        this.tasks = tasks;
        this.following = following;
        this.leftOut = leftOut;
        this.whenBehind = whenBehind;
        this.standing = standing;
        this.jumper = jumper;
    }

    /** Whether an answer is on its way, before which nothing is shown. */
    boolean isPending() {
        return asking;
    }

    /** Before more is shown. Without room again before the answer is there, the question is the same. */
    void beforeBatch(Frame first, boolean heldUp) {
        if (leftOut.screen() != null) {
            return;
        }
        if (whenBehind && refusedAt != first.seq() && bytesBehind(first, standing.written()) > mayBeBehind()) {
            jump(first.seq());
            return;
        }
        boolean asks = whenBehind || jumper.hasCaughtUp();
        if (!heldUp || !asks || askedAt == first.seq()) {
            return;
        }
        askedAt = first.seq();
        // What comes next is told before it comes.
        asking = true;
        steps.after(tasks.state(following.taskId()), now -> {
            TaskState state = now.result();
            asking = false;
            if (state != null && whenBehind && bytesBehind(first, state.output().stored(Channel.PTY)) > mayBeBehind()) {
                jump(first.seq());
            } else if (state != null && isFar(first, state)) {
                jumper.send(ServerMessages.fellBehind(first.seq(), state.nextSeq(), false));
            }
            catchUpIfDue();
            jumper.resume();
        });
    }

    /** Of what it is shown: who sees the history is not behind, and who is hidden is not shown all of it. */
    private boolean isFar(Frame first, TaskState now) {
        return jumper.hasCaughtUp() && !leftOut.isHidden() && now.nextSeq() - first.seq() > WsLimits.BEHIND_FRAMES;
    }

    /** A screen for what was left out, if one is due. */
    void catchUpIfDue() {
        if (leftOut.isDue() && !asking) {
            jump(leftOut.from());
        }
    }

    private long mayBeBehind() {
        boolean again =
                hasJumped && System.nanoTime() - jumpedNanos < TimeUnit.MILLISECONDS.toNanos(WsLimits.JUMP_AGAIN_MS);
        return again ? WsLimits.JUMP_AGAIN_BYTES : WsLimits.JUMP_BYTES;
    }

    /** Of output that would have to be sent. */
    private long bytesBehind(Frame first, long written) {
        return first.body() instanceof ToolTaskOutputDelta delta && !leftOut.isHidden() ? written - delta.offset() : 0;
    }

    /** To the screen as it is when it is made: output up to there is left out, all other frames are shown, and then the screen. */
    private void jump(long first) {
        asking = true;
        long from = leftOut.from() < 0 ? first : leftOut.from();
        steps.after(standing.screen(), made -> {
            asking = false;
            RenderedScreen screen = made.result();
            if (jumper.isOver()) {
                return;
            }
            if (screen != null) {
                hasJumped = true;
                jumpedNanos = System.nanoTime();
                jumper.send(ServerMessages.fellBehind(from, screen.seq() + 1, true));
                leftOut.until(screen);
                jumper.jumpTo(screen, standing.beside(jumper.nextSeq(), screen.seq()));
            } else if (leftOut.from() >= 0) {
                jumper.failed(made.cause());
            } else {
                refusedAt = first;
            }
            jumper.resume();
        });
    }
}
