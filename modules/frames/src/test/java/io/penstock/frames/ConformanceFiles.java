package io.penstock.frames;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The contents of {@code conformance/}: the text of every file by its path there. */
final class ConformanceFiles {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private ConformanceFiles() {}

    static Map<String, String> all() {
        var files = new TreeMap<String, String>();
        GoldenStreams.all().forEach((name, story) -> files.put("streams/v1/" + name + ".jsonl", stream(story)));
        GoldenStreams.sessions().forEach((name, story) -> files.put("sessions/v1/" + name + ".jsonl", session(story)));
        IllegalStreams.all().forEach((name, illegal) -> files.put("illegal/v1/" + name + ".json", illegal(illegal)));
        MalformedFrames.all()
                .forEach((name, malformed) -> files.put("malformed/v1/" + name + ".json", malformed(malformed)));
        files.put("words.json", words());
        files.put("stored/v1.txt", stored());
        files.put("older/v1.jsonl", older());
        return files;
    }

    private static String stream(Story story) {
        var lines = new StringBuilder();
        TaskState state = TaskState.ABSENT;
        for (Frame frame : story.frames()) {
            state = state.after(frame);
            lines.append("{\"frame\":")
                    .append(FrameJson.toText(frame))
                    .append(",\"state\":")
                    .append(TaskStateJson.toText(state))
                    .append("}\n");
        }
        return lines.toString();
    }

    private static String session(Story story) {
        var lines = new StringBuilder();
        for (Frame frame : story.frames()) {
            lines.append("{\"frame\":").append(FrameJson.toText(frame)).append("}\n");
        }
        return lines.toString();
    }

    /** Frames as they were written before fields were added, each with its current form. */
    private static String older() {
        var lines = new StringBuilder();
        Story story = new Story("older")
                .pipes()
                .then(new TaskPolicyVerdict("spawn", TaskPolicyVerdict.Verdict.ALLOW, "any", null, Actor.user("a")))
                .running()
                .then(new ToolTaskOutputDelta(Channel.STDOUT, 0, 6, 6)
                        .with(new DeltaText("hello\n", Story.log(Channel.STDOUT))))
                .wrote(Channel.STDOUT, 6, 10)
                .exits(0, Story.whole(Channel.STDOUT, 16), Story.whole(Channel.STDERR, 0));
        var frames = new ArrayList<>(story.frames());
        frames.addAll(
                Objects.requireNonNull(GoldenStreams.all().get("denied-spawn")).frames());
        for (Frame frame : frames) {
            String now = FrameJson.toText(frame);
            String before = now.replace(",\"containment\":null", "")
                    .replace(",\"label\":null", "")
                    .replace(",\"record_input\":null", "")
                    .replace(",\"budgets\":null", "")
                    .replace(",\"answered_by\":null", "")
                    .replaceFirst(",\"stdin_open\":false,\"links\":\\{[^}]*},\"agent\":null", "")
                    .replace(",\"refused\":null", "")
                    .replace(",\"rule\":null", "")
                    .replaceAll(",\"chunk_bytes\":\\d+,\"chunk_truncated\":(true|false)", "")
                    .replace(",\"first_line\":null,\"lines\":null,\"removed\":false", "")
                    .replace(",\"digest\":null", "");
            lines.append("{\"older\":")
                    .append(before)
                    .append(",\"frame\":")
                    .append(now)
                    .append("}\n");
        }
        return lines.toString();
    }

    private static String illegal(IllegalStreams.Illegal illegal) {
        IllegalStreams.Place after = illegal.after();
        var text = new StringBuilder("{\n");
        text.append("  \"after\": ")
                .append(after.line() == 0 ? "null" : quoted(after.toString()))
                .append(",\n");
        text.append("  \"illegal\": ").append(FrameJson.toText(illegal.frame())).append(",\n");
        return error(text, failure(() -> after.state().after(illegal.frame())));
    }

    private static String malformed(MalformedFrames.Malformed malformed) {
        var text = new StringBuilder("{\n");
        text.append("  \"text\": ").append(quoted(malformed.text())).append(",\n");
        text.append("  \"refused_by\": ")
                .append(malformed.everywhere() ? "\"everyone\"" : "\"server\"")
                .append(",\n");
        return error(text, failure(() -> FrameJson.parse(malformed.text())));
    }

    private static String error(StringBuilder text, Failure failure) {
        return text.append("  \"error\": {\n    \"code\": ")
                .append(quoted(failure.code().name()))
                .append(",\n    \"message\": ")
                .append(quoted(String.valueOf(failure.getMessage())))
                .append("\n  }\n}\n")
                .toString();
    }

    static Failure failure(Runnable refused) {
        try {
            refused.run();
        } catch (Failure failure) {
            return failure;
        }
        throw new AssertionError("nothing was refused");
    }

    private static String quoted(String text) {
        try {
            return MAPPER.writeValueAsString(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Every phase, outcome and flag, with each contract's word; null means that there is no such task. */
    private static String words() {
        var rows = new StringBuilder("[");
        String separator = "\n  ";
        for (Phase phase : Phase.values()) {
            List<Outcome> outcomes = phase == Phase.ENDED ? List.of(Outcome.values()) : List.of();
            int count = Math.max(1, outcomes.size());
            for (int i = 0; i < count; i++) {
                Outcome outcome = outcomes.isEmpty() ? null : outcomes.get(i);
                for (int flags = 0; flags < 8; flags++) {
                    rows.append(separator)
                            .append(row(phase, outcome, (flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0));
                    separator = ",\n  ";
                }
            }
        }
        return rows.append("\n]\n").toString();
    }

    private static ObjectNode row(
            Phase phase, @Nullable Outcome outcome, boolean selected, boolean requeued, boolean resume) {
        ObjectNode row = MAPPER.createObjectNode();
        row.put("phase", phase.wireName());
        row.put("outcome", outcome == null ? null : outcome.wireName());
        row.put("selected", selected);
        row.put("requeued", requeued);
        row.put("running_turn", resume ? "resume" : null);
        row.put("tool_tasks", ContractStatus.toolTasks(phase, outcome));
        row.put("task_tools", ContractStatus.taskTools(phase, outcome));
        row.put("taskd", ContractStatus.taskd(phase, outcome, selected));
        row.put("shell", ContractStatus.shell(phase, outcome, requeued));
        row.put(
                "background_task",
                ContractStatus.backgroundTask(phase, outcome, resume ? TaskTurnStarted.Kind.RESUME : null));
        return row;
    }

    /** The stored form of every golden frame: changing it changes the format on disk. */
    private static String stored() {
        var lines = new StringBuilder();
        GoldenStreams.all().forEach((name, story) -> stored(lines, name, story));
        GoldenStreams.sessions().forEach((name, story) -> stored(lines, name, story));
        return lines.toString();
    }

    private static void stored(StringBuilder lines, String name, Story story) {
        for (Frame frame : story.frames()) {
            var bytes = new ByteWriter();
            StoredForm.write(frame.body(), bytes);
            lines.append(name)
                    .append('/')
                    .append(frame.seq())
                    .append(' ')
                    .append(frame.body().type().code())
                    .append(' ')
                    .append(HexFormat.of().formatHex(bytes.toByteArray()))
                    .append('\n');
        }
    }
}
