package io.penstock.server.ws;

import io.penstock.engine.pump.Following;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.screen.ScreenAt;
import io.penstock.frames.Channel;
import io.penstock.frames.Frame;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskOutputDelta;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides how one goes on who has fallen behind, or was hidden: with all frames, or with a screen for the output. Lives on the viewer's context. */
final class Jumps {

    /** Who goes on. */
    interface Jumper {
        void tell(JsonObject news);

        /** Output is left out up to this screen, which is shown in its place. */
        void jumpTo(ScreenAt screen);

        /** There is room again, as far as this is concerned. */
        void goOn();

        void brokeOff(@Nullable Throwable why);

        boolean isOver();
    }

    private final Steps steps;
    private final TaskApi tasks;
    private final Following following;
    private final LeftOut leftOut;
    private final boolean whenBehind;
    private final Supplier<Future<ScreenAt>> screens;
    private final Jumper jumper;
    private long askedAt = -1;
    private boolean asking;
    private boolean hasJumped;
    private long jumpedNanos;

    /**
     * @param whenBehind whether it takes a screen for output that it has fallen far behind of
     * @param screens makes one, as it is now
     */
    Jumps(
            Steps steps,
            TaskApi tasks,
            Following following,
            LeftOut leftOut,
            boolean whenBehind,
            Supplier<Future<ScreenAt>> screens,
            Jumper jumper) {
        this.steps = steps;
        this.tasks = tasks;
        this.following = following;
        this.leftOut = leftOut;
        this.whenBehind = whenBehind;
        this.screens = screens;
        this.jumper = jumper;
    }

    /** Whether an answer is on its way, before which nothing is shown. */
    boolean isAsking() {
        return asking;
    }

    /** After a while without room. Without room again before the answer is there, the question is the same. */
    void goesOnWith(Frame first) {
        if (askedAt == first.seq()) {
            return;
        }
        askedAt = first.seq();
        // What comes next is told before it comes.
        asking = true;
        steps.after(tasks.state(following.taskId()), now -> {
            TaskState state = now.result();
            asking = false;
            if (state != null && whenBehind && bytesBehind(first, state) > mayBeBehind()) {
                jump(first.seq());
            } else if (state != null && state.nextSeq() - first.seq() > WsLimits.BEHIND_FRAMES) {
                jumper.tell(News.fellBehind(first.seq(), state.nextSeq(), false));
            }
            makeGood();
            jumper.goOn();
        });
    }

    /** A screen for what was left out, if one is due. */
    void makeGood() {
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
    private long bytesBehind(Frame first, TaskState now) {
        return first.body() instanceof ToolTaskOutputDelta delta && !leftOut.isHidden()
                ? now.output().stored(Channel.PTY) - delta.offset()
                : 0;
    }

    /** To the screen as it is when it is made: output up to there is left out, all other frames are shown, and then the screen. */
    private void jump(long first) {
        asking = true;
        long from = leftOut.from() < 0 ? first : leftOut.from();
        steps.after(screens.get(), made -> {
            asking = false;
            ScreenAt screen = made.result();
            if (jumper.isOver()) {
                return;
            }
            if (screen != null) {
                hasJumped = true;
                jumpedNanos = System.nanoTime();
                jumper.tell(News.fellBehind(from, screen.seq() + 1, true));
                leftOut.until(screen);
                jumper.jumpTo(screen);
            } else if (leftOut.from() >= 0) {
                jumper.brokeOff(made.cause());
            }
            jumper.goOn();
        });
    }
}
