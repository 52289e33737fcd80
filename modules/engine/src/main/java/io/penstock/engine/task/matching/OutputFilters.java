package io.penstock.engine.task.matching;

import io.penstock.engine.watch.GramTable;
import io.penstock.engine.watch.LineFilter;
import io.penstock.engine.watch.WatchSpec;
import io.penstock.frames.Channel;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Limits;
import io.penstock.frames.OutputTotals;
import io.vertx.core.WorkerExecutor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Selects the output that watchers must search. A short output is searched whole; of a longer one, lines that cannot match are left out here,
 * because even the hop to a worker costs more than that. Lives on its shard's context.
 */
final class OutputFilters {

    private static final Logger log = LoggerFactory.getLogger(OutputFilters.class);

    /** Output for which filters are not worth making. */
    private static final int UNFILTERED_BYTES = Limits.DELTA_BYTES;

    private final WorkerExecutor workers;
    private final Map<Channel, LineFilter> filters = new EnumMap<>(Channel.class);
    private final List<WatchSpec> watchers = new ArrayList<>();
    private long unfilteredBytes;

    OutputFilters(WorkerExecutor workers, ExecutionMode mode) {
        this.workers = workers;
        mode.channels().forEach(channel -> filters.put(channel, new LineFilter()));
    }

    /** Selects for these watchers, too. */
    void add(List<WatchSpec> added) {
        watchers.addAll(added);
        filters.values().forEach(filter -> filter.use(null));
        unfilteredBytes = 0;
    }

    /** The output of unfinished lines that has been left out so far. */
    List<WatchStep.Output> release(OutputTotals read) {
        List<WatchStep.Output> released = new ArrayList<>();
        filters.forEach((channel, filter) ->
                filter.release(read.total(channel)).forEach(part -> released.add(output(channel, part))));
        return released;
    }

    /** Reads output, and returns what of it must be searched. */
    List<WatchStep.Output> read(Channel channel, long offset, ByteBuffer bytes) {
        LineFilter filter = filter(channel);
        if (unfilteredBytes < UNFILTERED_BYTES) {
            unfilteredBytes += bytes.remaining();
            if (unfilteredBytes >= UNFILTERED_BYTES) {
                make();
            }
        }
        return filter.feed(offset, bytes).stream()
                .map(part -> output(channel, part))
                .toList();
    }

    /** Whether the unfinished line is searched. */
    boolean isPassing(Channel channel) {
        return filter(channel).isPassing();
    }

    private LineFilter filter(Channel channel) {
        return Objects.requireNonNull(filters.get(channel), "a channel of the task");
    }

    private void make() {
        List<WatchSpec> wanted = List.copyOf(watchers);
        List<Channel> channels = List.copyOf(filters.keySet());
        workers.executeBlocking(
                        () -> channels.stream()
                                .map(channel -> GramTable.of(wanted.stream()
                                        .filter(watcher -> watcher.channels().contains(channel))
                                        .toList()))
                                .toList(),
                        false)
                .onSuccess(made -> {
                    for (int i = 0; i < channels.size() && watchers.size() == wanted.size(); i++) {
                        filter(channels.get(i)).use(made.get(i).orElse(null));
                    }
                })
                .onFailure(why -> log.error("Output is searched whole, without a filter", why));
    }

    private static WatchStep.Output output(Channel channel, LineFilter.Part part) {
        return new WatchStep.Output(channel, part.offset(), part.bytes(), 0, part.bytes().length, 0);
    }
}
