package io.penstock.engine.session;

import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.Outcome;
import io.penstock.frames.SessionWatcherHit;
import io.penstock.frames.ToolEnded;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One item of a mailbox.
 *
 * @param frame the frame of the session that it is
 */
public record MailboxItem(Frame frame) {

    public MailboxItem {
        if (!Mailbox.isItem(frame.body())) {
            throw new IllegalArgumentException(frame.typeName() + " is no mailbox item");
        }
    }

    /** The task that it is about. */
    public String taskId() {
        return switch (frame.body()) {
            case ToolEnded end -> end.task().id();
            case SessionWatcherHit hit -> hit.task().id();
            case FrameBody other -> throw noItem(other);
        };
    }

    /** Names the fact that it is about, by which a reader recognizes an item that it has seen: the task and the (first) frame there. */
    public String key() {
        return switch (frame.body()) {
            case ToolEnded end -> taskId() + "/" + end.taskSeq();
            case SessionWatcherHit hit -> taskId() + "/" + hit.taskSeq();
            case FrameBody other -> throw noItem(other);
        };
    }

    /** The first frame of the task that happened after it. */
    public long taskEndSeq() {
        return switch (frame.body()) {
            case ToolEnded end -> end.taskSeq() + 1;
            case SessionWatcherHit hit -> hit.lastTaskSeq() + 1;
            case FrameBody other -> throw noItem(other);
        };
    }

    /** A sentence about it, for a model or a person. */
    public String text() {
        return switch (frame.body()) {
            case ToolEnded end -> text(end);
            case SessionWatcherHit hit ->
                "Shell watcher `" + hit.event() + "` matched " + (hit.count() == 1 ? "" : hit.count() + " times ")
                        + "for run `" + taskId() + "`.";
            case FrameBody other -> throw noItem(other);
        };
    }

    private static String text(ToolEnded end) {
        String named = end.label() != null
                ? end.label().text()
                : Objects.requireNonNullElse(end.title(), end.task().id());
        String error = end.error();
        return "Background task \"" + named + "\" " + verb(end.outcome(), end.exitCode()) + after(end.durationMs())
                + "." + (error == null ? "" : "\nError: " + error);
    }

    private static String verb(Outcome outcome, @Nullable Integer exitCode) {
        return switch (outcome) {
            case SUCCEEDED -> "completed";
            case NONZERO -> "failed with exit code " + exitCode;
            case FAILED -> "failed";
            case CANCELLED -> "was cancelled";
            case TIMED_OUT -> "timed out";
            case LOST -> "was lost";
        };
    }

    /** As people write it: 2m 34s. */
    private static String after(@Nullable Long durationMs) {
        if (durationMs == null) {
            return "";
        }
        var duration = Duration.ofMillis(durationMs);
        long hours = duration.toHours();
        long minutes = duration.toMinutesPart();
        String text = (hours > 0 ? hours + "h " : "") + (hours > 0 || minutes > 0 ? minutes + "m " : "")
                + duration.toSecondsPart() + "s";
        return " (" + text + ")";
    }

    private static IllegalArgumentException noItem(FrameBody body) {
        return new IllegalArgumentException(body.type() + " is no mailbox item");
    }
}
