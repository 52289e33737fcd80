package io.penstock.example;

import io.penstock.engine.sink.ExecEventSink;
import io.penstock.frames.TaskWatcherHit;
import io.penstock.frames.ToolTaskStatus;
import java.util.concurrent.BlockingQueue;

/** Reports ends of tasks and matches of watchers, with the last line of the output. */
final class BuildReporter implements ExecEventSink {

    private final BlockingQueue<String> reports;

    BuildReporter(BlockingQueue<String> reports) {
        this.reports = reports;
    }

    @Override
    public void statusChanged(Event<ToolTaskStatus> event) {
        var ending = event.body().ending();
        if (ending != null) {
            reports.add(ending.outcome().wireName() + ": " + lastLine(event));
        }
    }

    @Override
    public void watcherHit(Event<TaskWatcherHit> event) {
        reports.add(event.body().event() + ": " + lastLine(event));
    }

    private static String lastLine(Event<?> event) {
        String snippet = event.snippet();
        return snippet == null
                ? ""
                : snippet.lines().reduce((line, next) -> next).orElse("");
    }
}
