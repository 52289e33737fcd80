package io.penstock.server.http;

import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskView;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.server.tools.ModelText;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** The last line that each listed task has written, whichever channel it was written to. May be called from any thread. */
final class LastLines {

    /** The longest line that is shown in full fits in, and the escape sequences of its colours. */
    private static final int TAIL_BYTES = 1024;

    private static final int MAX_CHARS = 300;

    /** Some pages of the list; of a task that has not changed, nothing is read again. */
    private static final int MAX_KNOWN = 4096;

    /** Moves the cursor anywhere, so that no line is the last. */
    private static final Pattern PAINTS = Pattern.compile("\u001b\\[[0-9;]*[Hf]|\u001b\\[\\?1049h");

    private record Known(long nextSeq, String line) {}

    private final TaskApi tasks;
    private final Map<String, Known> known = new LinkedHashMap<>(16, 0.75f, true);

    LastLines(TaskApi tasks) {
        this.tasks = tasks;
    }

    /** Empty for a task that has written nothing, or paints a whole screen. */
    Future<String> of(TaskView task) {
        if (task.asked() instanceof ToolTaskSpawned spec && spec.agent() != null) {
            return Future.succeededFuture(""); // what an agent said last stands for it
        }
        synchronized (known) {
            Known before = known.get(task.taskId());
            if (before != null && before.nextSeq() == task.nextSeq()) {
                return Future.succeededFuture(before.line());
            }
        }
        return tasks.tail(task, TAIL_BYTES).map(tail -> keep(task, lineOf(tail)));
    }

    private String keep(TaskView task, String line) {
        synchronized (known) {
            known.put(task.taskId(), new Known(task.nextSeq(), line));
            if (known.size() > MAX_KNOWN) {
                known.remove(known.keySet().iterator().next());
            }
        }
        return line;
    }

    /** The last line that is not blank, as text. */
    static String lineOf(String tail) {
        if (PAINTS.matcher(tail).find()) {
            return "";
        }
        return ModelText.plain(tail)
                .lines()
                .map(line -> line.replace('\t', ' ').strip())
                .filter(line -> !line.isEmpty())
                .reduce("", (before, line) -> ModelText.start(line, MAX_CHARS));
    }
}
