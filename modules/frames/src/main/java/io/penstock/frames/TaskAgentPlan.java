package io.penstock.frames;

import java.util.ArrayList;
import java.util.List;

/** The agent's plan, which replaces an earlier one. */
public record TaskAgentPlan(int turn, List<Entry> entries) implements TaskFrame {

    /**
     * One step.
     *
     * @param status in the program's own word, such as pending, in_progress, completed
     */
    public record Entry(String content, String status) {

        public Entry {
            content = Checks.text(content, "content", Limits.AGENT_PLAN_ENTRY_CHARS);
            status = Checks.name(status, "status");
        }
    }

    public TaskAgentPlan {
        Checks.atLeastOne(turn, "turn");
        entries = List.copyOf(entries);
        if (entries.size() > Limits.AGENT_PLAN_ENTRIES) {
            throw new IllegalArgumentException(
                    "A plan has at most " + Limits.AGENT_PLAN_ENTRIES + " entries, not " + entries.size());
        }
    }

    @Override
    public FrameType type() {
        return FrameType.TASK_AGENT_PLAN;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.number("turn", turn);
        json.beginArray("entries");
        for (Entry entry : entries) {
            json.begin();
            json.text("content", entry.content());
            json.text("status", entry.status());
            json.end();
        }
        json.endArray();
    }

    static TaskAgentPlan readJson(JsonFields fields) {
        return new TaskAgentPlan(
                fields.smallNumber("turn"),
                fields.objects("entries").stream()
                        .map(entry -> new Entry(entry.text("content"), entry.text("status")))
                        .toList());
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeNumber(turn);
        out.writeNumber(entries.size());
        for (Entry entry : entries) {
            out.writeText(entry.content());
            out.writeText(entry.status());
        }
    }

    static TaskAgentPlan readStored(ByteReader in) {
        int turn = in.readSmallNumber();
        int count = in.readSmallNumber();
        var entries = new ArrayList<Entry>();
        for (int i = 0; i < count; i++) {
            entries.add(new Entry(in.readText(), in.readText()));
        }
        return new TaskAgentPlan(turn, entries);
    }
}
