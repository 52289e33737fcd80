package io.penstock.engine.session;

import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.Outcome;
import io.penstock.frames.SessionTaskEnded;
import io.penstock.frames.SessionWatcherHit;
import io.penstock.frames.TaskLabel;
import io.penstock.frames.ToolEnded;
import io.penstock.frames.WholeCharacters;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One item of a mailbox.
 *
 * @param frame the frame of the session that it is
 */
public record MailboxItem(Frame frame) {

    /** The part of a result that a sentence shows: a few lines, since the item has all of it. */
    private static final int SUMMARY_CHARS = 500;

    public MailboxItem {
        if (!Mailbox.isItem(frame.body())) {
            throw new IllegalArgumentException(frame.typeName() + " is no mailbox item");
        }
    }

    /** The task that it is about. */
    public String taskId() {
        return switch (frame.body()) {
            case ToolEnded end -> end.task().id();
            case SessionTaskEnded end -> end.task().id();
            case SessionWatcherHit hit -> hit.task().id();
            case FrameBody other -> throw noItem(other);
        };
    }

    /** Names the fact that it is about, by which a reader recognizes an item that it has seen: the task and the (first) frame there. */
    public String key() {
        return switch (frame.body()) {
            case ToolEnded end -> taskId() + "/" + end.taskSeq();
            case SessionTaskEnded end -> taskId() + "/" + end.taskSeq();
            case SessionWatcherHit hit -> taskId() + "/" + hit.taskSeq();
            case FrameBody other -> throw noItem(other);
        };
    }

    /** The first frame of the task that happened after it. */
    public long taskEndSeq() {
        return switch (frame.body()) {
            case ToolEnded end -> end.taskSeq() + 1;
            case SessionTaskEnded end -> end.taskSeq() + 1;
            case SessionWatcherHit hit -> hit.lastTaskSeq() + 1;
            case FrameBody other -> throw noItem(other);
        };
    }

    /** A sentence about it, for a model or a person. */
    public String text() {
        return switch (frame.body()) {
            case ToolEnded end ->
                ended(taskId(), end.label(), end.title(), end.outcome(), end.exitCode(), end.durationMs(), end.error());
            case SessionTaskEnded end -> text(end);
            case SessionWatcherHit hit ->
                "Shell watcher `" + hit.event() + "` matched " + (hit.count() == 1 ? "" : hit.count() + " times ")
                        + "for run `" + taskId() + "`.";
            case FrameBody other -> throw noItem(other);
        };
    }

    private static String ended(
            String taskId,
            @Nullable TaskLabel label,
            @Nullable String title,
            Outcome outcome,
            @Nullable Integer exitCode,
            @Nullable Long durationMs,
            @Nullable String error) {
        String named = label != null ? label.text() : Objects.requireNonNullElse(title, taskId);
        return "Background task \"" + named + "\" " + verb(outcome, exitCode) + after(durationMs) + "."
                + (error == null ? "" : "\nError: " + error);
    }

    /** As the contract of the task tools words it. */
    private static String text(SessionTaskEnded end) {
        String taskId = end.task().id();
        String asked = end.label() == null
                ? "task_id: \"" + taskId + "\""
                : "label: \"" + end.label().text() + "\"";
        return "[System Message] "
                + ended(taskId, end.label(), end.title(), end.outcome(), end.exitCode(), end.durationMs(), end.error())
                + (end.result() == null || end.result().isBlank() ? "" : "\nSummary: " + summary(end.result()))
                + "\nUse task_join(" + asked + ") for full results.";
    }

    private static String summary(String result) {
        return WholeCharacters.fitting(result.strip(), SUMMARY_CHARS + 1);
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
