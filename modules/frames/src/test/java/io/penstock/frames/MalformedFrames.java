package io.penstock.frames;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Texts that are not frames, each made from a golden one by one change. */
final class MalformedFrames {

    private MalformedFrames() {}

    /**
     * A text that must be refused.
     *
     * @param everywhere whether every reader of frames must reject it, or only the server that stores them
     */
    record Malformed(String text, boolean everywhere) {}

    static Map<String, Malformed> all() {
        var all = new LinkedHashMap<String, Malformed>();
        all.put("not-json", new Malformed("{\"seq\": 1", true));
        all.put("not-an-object", new Malformed("[1, 2]", true));
        all.put("empty", new Malformed("", true));
        Frame exit = golden("exit-0", 8);
        all.put("text-after-it", new Malformed(FrameJson.toText(exit) + " {}", true));
        all.put("name-twice", new Malformed(changed(exit, "\"seq\":8", "\"seq\":8,\"seq\":8"), false));
        envelope(all, exit);
        fields(all, exit);
        records(all, exit);
        return all;
    }

    private static void envelope(Map<String, Malformed> all, Frame exit) {
        everywhere(all, "stream-kind-unknown", exit, "\"stream_kind\":\"task\"", "\"stream_kind\":\"batch\"");
        everywhere(all, "stream-id-missing", exit, "\"stream_id\":\"exit-0\",", "");
        everywhere(all, "stream-id-path", exit, "\"stream_id\":\"exit-0\"", "\"stream_id\":\"../exit-0\"");
        everywhere(all, "seq-missing", exit, "\"seq\":8,", "");
        everywhere(all, "seq-text", exit, "\"seq\":8", "\"seq\":\"8\"");
        everywhere(all, "seq-fraction", exit, "\"seq\":8", "\"seq\":8.5");
        everywhere(all, "seq-negative", exit, "\"seq\":8", "\"seq\":-1");
        everywhere(all, "seq-beyond-doubles", exit, "\"seq\":8", "\"seq\":9007199254740992");
        everywhere(all, "timestamp-null", exit, "\"timestamp_ms\":" + exit.timestampMs(), "\"timestamp_ms\":null");
        everywhere(all, "type-missing", exit, "\"type\":\"tool_task_status\",", "");
        everywhere(all, "type-number", exit, "\"type\":\"tool_task_status\"", "\"type\":2");
        everywhere(all, "type-of-session", exit, "\"type\":\"tool_task_status\"", "\"type\":\"tool_ended\"");
        everywhere(all, "id-of-another", exit, "\"id\":\"exit-0/8\"", "\"id\":\"exit-0/9\"");
        everywhere(all, "session-id-of-another", exit, "\"session_id\":\"exit-0\"", "\"session_id\":\"exit-1\"");
        everywhere(all, "task-id-of-another", exit, "\"task_id\":\"exit-0\"", "\"task_id\":\"exit-1\"");
    }

    private static void fields(Map<String, Malformed> all, Frame exit) {
        everywhere(all, "phase-missing", exit, "\"phase\":\"ended\",", "");
        everywhere(all, "phase-unknown", exit, "\"phase\":\"ended\"", "\"phase\":\"gone\"");
        everywhere(all, "outcome-unknown", exit, "\"outcome\":\"succeeded\"", "\"outcome\":\"Succeeded\"");
        everywhere(all, "exit-code-text", exit, "\"exit_code\":0", "\"exit_code\":\"0\"");
        everywhere(all, "artifacts-list", exit, "\"artifacts\":{", "\"artifacts\":[],\"more\":{");
        everywhere(all, "actor-missing", exit, ",\"actor\":\"reaper\"", "");
        everywhere(all, "actor-unknown", exit, "\"actor\":\"reaper\"", "\"actor\":\"grim\"");
        Frame spawned = golden("exit-0", 0);
        everywhere(all, "tool-name-number", spawned, "\"tool_name\":\"bash\"", "\"tool_name\":7");
        everywhere(all, "args-text", spawned, "\"args\":{", "\"args\":\"none\",\"more\":{");
        everywhere(all, "mode-unknown", spawned, "\"execution_mode\":\"pipes\"", "\"execution_mode\":\"socket\"");
        everywhere(all, "log-missing", spawned, "\"stderr\":", "\"other\":");
        everywhere(all, "label-number", spawned, "\"label\":null", "\"label\":42");
        everywhere(all, "cap-negative", spawned, "\"max_bytes\":524288", "\"max_bytes\":-1");
        everywhere(all, "links-list", spawned, "\"links\":{", "\"links\":[],\"more\":{");
        everywhere(all, "stdin-open-text", spawned, "\"stdin_open\":false", "\"stdin_open\":\"yes\"");
        Frame agent = golden("agent", 0);
        everywhere(all, "links-without-depth", agent, "\"depth\":0,", "");
        everywhere(all, "agent-protocol-unknown", agent, "\"protocol\":\"acp\"", "\"protocol\":\"lsp\"");
        everywhere(all, "wake-without-agent", golden("wakes", 0), "\"resume\":\"agent\",", "");
        Frame plan = golden("agent", 4);
        everywhere(all, "plan-not-a-list", plan, "\"entries\":[", "\"entries\":{},\"more\":[");
        everywhere(all, "plan-of-numbers", plan, "\"entries\":[", "\"entries\":[1,");
        everywhere(all, "plan-step-without-content", plan, "\"content\":\"write the tests\",", "");
        everywhere(all, "agent-role-unknown", golden("agent", 6), "\"assistant\"", "\"system\"");
        everywhere(all, "call-status-unknown", golden("agent", 8), "\"pending\"", "\"waiting\"");
        everywhere(all, "end-without-notify", session("agents", 3), "\"notify\":true,", "");
        Frame delta = golden("exit-0", 4);
        everywhere(all, "channel-unknown", delta, "\"stream\":\"stdout\"", "\"stream\":\"stdin\"");
        everywhere(all, "delta-offset-missing", delta, "\"offset_bytes\":0,", "");
        everywhere(all, "delta-chunk-list", delta, "\"chunk\":\"hello\\n\"", "\"chunk\":[104]");
        Frame resized = golden("pty-control", 3);
        everywhere(all, "rows-null", resized, "\"rows\":40", "\"rows\":null");
        everywhere(all, "rows-negative", resized, "\"rows\":40", "\"rows\":-40");
        everywhere(all, "rows-beyond-32-bits", resized, "\"rows\":40", "\"rows\":4294967336");
    }

    private static void records(Map<String, Malformed> all, Frame exit) {
        onServer(all, "outcome-without-end", exit, "\"phase\":\"ended\"", "\"phase\":\"running\"");
        onServer(all, "succeeded-with-exit-code-1", exit, "\"exit_code\":0", "\"exit_code\":1");
        onServer(all, "exit-code-over-255", exit, "\"exit_code\":0", "\"exit_code\":256");
        onServer(all, "signal-without-its-code", exit, "\"signal\":null", "\"signal\":9");
        onServer(all, "status-of-another", exit, "\"status\":\"exited\"", "\"status\":\"failed\"");
        onServer(all, "end-without-time", exit, "\"ended_at_ms\":" + exit.timestampMs(), "\"ended_at_ms\":null");
        Frame spawned = golden("exit-0", 0);
        onServer(all, "title-over-limit", spawned, "tests of the api", "x".repeat(Limits.TEXT_CHARS + 1));
        onServer(all, "label-with-space", spawned, "\"label\":null", "\"label\":\"two words\"");
        onServer(all, "tool-name-blank", spawned, "\"tool_name\":\"bash\"", "\"tool_name\":\" \"");
        Frame agent = golden("agent", 0);
        onServer(all, "agent-without-input", agent, "\"stdin_open\":true", "\"stdin_open\":false");
        onServer(all, "depth-without-parent", agent, "\"depth\":0", "\"depth\":1");
        onServer(all, "model-over-limit", agent, "\"large\"", "\"" + "x".repeat(Limits.NAME_CHARS + 1) + "\"");
        onServer(
                all,
                "plan-step-over-limit",
                golden("agent", 4),
                "read the code",
                "x".repeat(Limits.AGENT_PLAN_ENTRY_CHARS + 1));
        onServer(all, "message-of-turn-0", golden("agent", 6), "\"turn\":1", "\"turn\":0");
        Frame terminal = golden("pty-control", 0);
        onServer(all, "stdin-open-on-terminal", terminal, "\"stdin_open\":false", "\"stdin_open\":true");
        Frame delta = golden("exit-0", 4);
        onServer(all, "delta-empty", delta, "\"bytes\":6", "\"bytes\":0");
        onServer(all, "stored-exceeds-total", delta, "\"bytes_stored\":6", "\"bytes_stored\":7");
        Frame resized = golden("pty-control", 3);
        onServer(all, "rows-over-limit", resized, "\"rows\":40", "\"rows\":4097");
        Frame stdin = golden("pty-control", 4);
        onServer(all, "stdin-not-base64", stdin, "c3Vkbwo=", "c3V*bwo=");
        onServer(all, "stdin-of-other-length", stdin, "\"bytes\":5", "\"bytes\":6");
        onServer(all, "signal-unknown", golden("pty-control", 8), "SIGINT", "SIGNOPE");
        onServer(all, "run-number-1", golden("resume", 9), "\"run\":2", "\"run\":1");
        onServer(all, "digest-of-other-kind", golden("exit-0", 7), "sha256:", "md5:");
    }

    private static void everywhere(Map<String, Malformed> all, String name, Frame frame, String right, String wrong) {
        all.put(name, new Malformed(changed(frame, right, wrong), true));
    }

    private static void onServer(Map<String, Malformed> all, String name, Frame frame, String right, String wrong) {
        all.put(name, new Malformed(changed(frame, right, wrong), false));
    }

    private static String changed(Frame frame, String right, String wrong) {
        String text = FrameJson.toText(frame);
        if (!text.contains(right)) {
            throw new IllegalArgumentException(right + " is not in " + text);
        }
        return text.replace(right, wrong);
    }

    private static Frame session(String story, int seq) {
        return Objects.requireNonNull(GoldenStreams.sessions().get(story))
                .frames()
                .get(seq);
    }

    private static Frame golden(String story, int seq) {
        return Objects.requireNonNull(GoldenStreams.all().get(story)).frames().get(seq);
    }
}
