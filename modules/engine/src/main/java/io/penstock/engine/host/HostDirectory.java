package io.penstock.engine.host;

import io.penstock.engine.log.TaskCursor;
import io.penstock.engine.log.TaskQuery;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskPage;
import io.penstock.engine.pump.TaskView;
import io.penstock.frames.Ending;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.SpawnSpec;
import io.penstock.frames.TaskLabel;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks hosts have, by the names that hosts gave them: tasks of one session, with the name as the label. The ledger lists them; the
 * newest are in memory too, so that they are listed while the database is away.
 */
final class HostDirectory {

    /** The session of all tasks of hosts. */
    static final String SESSION = "taskd";

    static final String TOOL = "create_or_open_task";

    /**
     * A task as it was listed.
     *
     * @param folder relative to the workspace
     */
    record Entry(String taskId, Phase phase, @Nullable Outcome outcome, String folder) {

        static Entry of(TaskView view) {
            Ending ending = view.ending();
            SpawnSpec spec = view.asked();
            String cwd = spec == null ? null : spec.cwd();
            return new Entry(
                    view.taskId(), view.phase(), ending == null ? null : ending.outcome(), cwd == null ? "" : cwd);
        }

        static Entry of(String taskId, TaskState state) {
            return of(TaskView.of(taskId, state));
        }
    }

    /**
     * @param byName the newest first
     * @param next where the list continues; null at its end
     */
    record Listing(
            SequencedMap<String, Entry> byName, @Nullable TaskCursor next) {}

    private final TaskApi tasks;
    private final OneThread thread;

    /** Tasks that were created, or ended, since the newest list was begun; the newest last. */
    private final Map<String, Entry> created = new LinkedHashMap<>();

    private final Map<String, Entry> ended = new LinkedHashMap<>();
    private @Nullable Listing newest;

    /** The list that is being read. Callers that ask meanwhile share {@link #next}, so that a flood of requests reads two lists. */
    private @Nullable Future<Listing> reading;

    private @Nullable Future<Listing> next;

    HostDirectory(TaskApi tasks, OneThread thread) {
        this.tasks = tasks;
        this.thread = thread;
    }

    void created(String name, Entry entry) {
        created.remove(name);
        created.put(name, entry);
        refreshIfLong();
    }

    void ended(String name, Entry entry) {
        ended.put(name, entry);
        refreshIfLong();
    }

    /** Hosts that never ask for the list must not fill the memory. */
    private void refreshIfLong() {
        if (created.size() + ended.size() >= HostLimits.LISTED_PAGES * TaskQuery.USUAL_LIMIT && reading == null) {
            readNewest();
        }
    }

    /** The tasks from the cursor on, or the newest: those in memory if the database does not list them soon. */
    Future<Listing> list(@Nullable TaskCursor after) {
        if (after != null) {
            return page(new LinkedHashMap<>(), after, HostLimits.LISTED_PAGES);
        }
        Future<Listing> read = readNewest();
        return newest == null
                ? read
                : thread.here(read.timeout(HostLimits.LIST_MS, TimeUnit.MILLISECONDS))
                        .otherwise(why -> current());
    }

    private Future<Listing> readNewest() {
        Future<Listing> before = reading;
        if (before == null) {
            Future<Listing> begun = beginToRead();
            reading = begun;
            return begun.onComplete(over -> reading = null);
        }
        Future<Listing> after = next;
        if (after == null) {
            after = before.transform(over -> {
                next = null;
                return readNewest();
            });
            next = after;
        }
        return after;
    }

    private Future<Listing> beginToRead() {
        Map<String, Entry> createdBefore = Map.copyOf(created);
        Map<String, Entry> endedBefore = Map.copyOf(ended);
        return page(new LinkedHashMap<>(), null, HostLimits.LISTED_PAGES).map(read -> {
            newest = read;
            created.entrySet().removeAll(createdBefore.entrySet());
            ended.entrySet().removeAll(endedBefore.entrySet());
            return current();
        });
    }

    /** The newest list that was read, with what has changed since it was begun. */
    private Listing current() {
        Listing read = Objects.requireNonNull(newest);
        var all = new LinkedHashMap<>(read.byName());
        created.forEach(all::putFirst);
        ended.forEach((name, entry) ->
                all.computeIfPresent(name, (same, listed) -> listed.taskId().equals(entry.taskId()) ? entry : listed));
        return new Listing(all, read.next());
    }

    private Future<Listing> page(LinkedHashMap<String, Entry> found, @Nullable TaskCursor after, int pages) {
        return thread.here(tasks.list(query(null, after))).compose(page -> {
            if (page.livingOnly()) {
                throw away();
            }
            for (TaskView view : page.tasks()) {
                String name = nameOf(view);
                if (name != null) {
                    found.putIfAbsent(name, Entry.of(view));
                }
            }
            return page.next() == null || pages == 1
                    ? Future.succeededFuture(new Listing(found, page.next()))
                    : page(found, page.next(), pages - 1);
        });
    }

    /** The id of the newest task of this name; null if there is none. */
    Future<@Nullable String> find(TaskLabel name) {
        return thread.here(tasks.list(query(name, null))).map(HostDirectory::newest);
    }

    /** Others may start tasks in the session, too, even with the same label. */
    private static TaskQuery query(@Nullable TaskLabel name, @Nullable TaskCursor after) {
        return new TaskQuery(SESSION, name, null, null, TaskQuery.USUAL_LIMIT, after).ofTools(Set.of(TOOL));
    }

    private static @Nullable String newest(TaskPage page) {
        String taskId = page.tasks().stream()
                .filter(view -> nameOf(view) != null)
                .map(TaskView::taskId)
                .findFirst()
                .orElse(null);
        if (taskId == null && page.livingOnly()) {
            throw away();
        }
        return taskId;
    }

    /** Only the living tasks are known: the others are neither there nor missing. */
    private static Failure away() {
        return new Failure(
                FailureCode.DATABASE_UNAVAILABLE, "The database is away, and it has the ended tasks; try again");
    }

    /** The host's name of a task; null if it was refused by policy before it began. */
    private static @Nullable String nameOf(TaskView view) {
        SpawnSpec spec = view.asked();
        TaskLabel label = spec == null ? null : spec.label();
        return label == null || !(spec instanceof ToolTaskSpawned) ? null : label.text();
    }
}
