package io.penstock.engine.log;

import static io.penstock.engine.log.FrameLogContract.fresh;
import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.frames.Actor;
import io.penstock.frames.Cause;
import io.penstock.frames.Channel;
import io.penstock.frames.Ending;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.FrameBody;
import io.penstock.frames.JsonText;
import io.penstock.frames.LogRef;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.RefusedSpawn;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskCleared;
import io.penstock.frames.TaskLabel;
import io.penstock.frames.TaskLinks;
import io.penstock.frames.ToolTaskCancelRequested;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The contract of every index of tasks, whatever stores its rows. All frames have the same time, so nothing is ordered
 * by it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class TaskIndexContract {

    private static final long SAME_TIME = 1_000;

    /** Each test lists the tasks of its own session. */
    private final String session = "s-" + UUID.randomUUID();

    protected abstract FrameLog log();

    protected abstract TaskIndex index();

    @Test
    void taskIsListedWithItsStateOnceItsFrameIsAccepted() {
        String mine = "s-" + UUID.randomUUID();
        String task = record(spawned(mine, "one"));
        TaskRow queued = only(new TaskQuery(mine, null, null, null, 5, null));
        assertEquals(task, queued.taskId());
        assertEquals(Phase.QUEUED, queued.phase());
        assertEquals(spawned(mine, "one"), queued.spec());
        assertNull(queued.outcome());
        assertEquals(1, queued.nextSeq());

        append(task, ToolTaskStatus.running(7));
        assertEquals(
                Phase.RUNNING,
                only(new TaskQuery(mine, null, null, null, 5, null)).phase());
        append(task, new ToolTaskCancelRequested(null, Cause.REQUEST, Actor.SERVER));
        assertEquals(
                Phase.STOPPING,
                only(new TaskQuery(mine, null, null, null, 5, null)).phase());
        append(task, ended(0));
        TaskRow row = only(new TaskQuery(mine, null, null, null, 5, null));
        assertEquals(Phase.ENDED, row.phase());
        assertEquals(Outcome.SUCCEEDED, row.outcome());
        assertEquals(7L, row.startedAtMs());
        assertEquals(9L, row.endedAtMs());
        assertEquals(ended(0), row.toldEnd());
        assertEquals(4, row.nextSeq());
    }

    @Test
    void aRefusedSpawnIsFoundWithoutASpec() {
        var refused = new ToolTaskStatus(
                Phase.ENDED, Ending.failed(), null, 9L, List.of(), "no", null, Cause.REQUEST, Actor.SERVER);
        String task = record(refused);
        TaskRow row = await(index().list(TaskQuery.NEWEST)).rows().getFirst();
        assertEquals(task, row.taskId());
        assertNull(row.spec());
        assertEquals(refused, row.toldEnd());
    }

    @Test
    void refusedSpawnIsFoundByItsRequest() {
        String mine = "s-" + UUID.randomUUID();
        var label = new TaskLabel("l-" + UUID.randomUUID());
        var asked = new RefusedSpawn(
                "bash", new JsonText("{}"), null, "a Title", ExecutionMode.PTY, mine, label, Actor.user("alice"));
        String task = record(ToolTaskStatus.refusal(asked, 9, "no", Cause.POLICY, Actor.POLICY));
        for (TaskQuery query : List.of(
                new TaskQuery(mine, null, null, null, 5, null),
                new TaskQuery(null, label, null, null, 5, null),
                new TaskQuery(mine, null, null, "title", 5, null))) {
            TaskRow row = only(query);
            assertEquals(task, row.taskId());
            assertEquals(asked, row.asked());
            assertNull(row.spec());
        }
    }

    @Test
    void aSessionsStreamIsNoTask() {
        String id = "x-" + UUID.randomUUID();
        String mine = "s-" + UUID.randomUUID();
        try (StreamWriter writer = await(log().create(StreamId.session(id)))) {
            await(writer.append(SAME_TIME, new io.penstock.frames.ToolStdout(StreamId.task("t"), "hello", 1)));
        }
        record(spawned(mine, "one"));
        only(new TaskQuery(mine, null, null, null, 5, null));
        assertEquals(
                0,
                await(index().list(TaskQuery.NEWEST)).rows().stream()
                        .filter(row -> row.taskId().equals(id))
                        .count());
    }

    @Test
    void pagesHaveNoGapOrDuplicateWhileTasksAreAdded() {
        var newestFirst = new ArrayList<String>();
        for (int i = 0; i < 7; i++) {
            newestFirst.addFirst(record(spawned(session, "task " + i)));
        }
        var seen = new ArrayList<String>();
        TaskCursor after = null;
        int pages = 0;
        do {
            TaskRows page = await(index().list(new TaskQuery(session, null, null, null, 2, after)));
            page.rows().forEach(row -> seen.add(row.taskId()));
            after = page.next() == null ? null : TaskCursor.parse(page.next().text());
            pages++;
            record(spawned(session, "later"));
        } while (after != null);
        assertEquals(newestFirst, seen);
        assertEquals(4, pages);
    }

    @Test
    void aPageThatEndsWithTheListHasNoNext() {
        String mine = "s-" + UUID.randomUUID();
        record(spawned(mine, "one"));
        record(spawned(mine, "two"));
        assertNull(await(index().list(new TaskQuery(mine, null, null, null, 2, null)))
                .next());
        assertNotNull(await(index().list(new TaskQuery(mine, null, null, null, 1, null)))
                .next());
        assertEquals(
                new TaskRows(List.of(), null),
                await(index().list(new TaskQuery(mine, null, null, null, 2, new TaskCursor(0)))));
    }

    @Test
    void filtersNarrowEachOther() {
        String mine = "s-" + UUID.randomUUID();
        String runs = record(spawned(mine, "Build the docs"), ToolTaskStatus.running(7));
        String done = record(spawned(mine, "build all"), ToolTaskStatus.running(7), ended(0));
        String broke = record(spawned(mine, "test 100%_all"), ToolTaskStatus.running(7), ended(3));
        String untitled = record(spawned(mine, null), ended(3));
        record(spawned("s-other", "build elsewhere"), ended(0));
        var exited = new StatusFilter(Set.of(), Set.of(Outcome.SUCCEEDED, Outcome.NONZERO));
        var live = StatusFilter.where((phase, outcome) -> outcome == null);

        assertEquals(List.of(untitled, broke, done, runs), ids(mine, null, null));
        assertEquals(List.of(untitled, broke, done), ids(mine, exited, null));
        assertEquals(List.of(runs), ids(mine, live, null));
        assertEquals(List.of(done, runs), ids(mine, null, "BUILD"));
        assertEquals(List.of(done), ids(mine, exited, "build"));
        assertEquals(List.of(broke), ids(mine, null, "%_"));
        assertEquals(List.of(), ids(mine, live, "all"));
        assertEquals(List.of(), ids(mine, new StatusFilter(Set.of(), Set.of()), null));
    }

    @Test
    void labelFindsItsTasksNewestFirst() {
        String mine = "s-" + UUID.randomUUID();
        String label = "research-" + UUID.randomUUID().toString().substring(0, 8);
        String first = record(spawned(mine, "Look", label), ToolTaskStatus.running(7), ended(0));
        String again = record(spawned(mine, null, label), ToolTaskStatus.running(7));
        record(spawned(mine, label, null));
        record(spawned(mine, null, label + "-2"));
        String others = record(spawned("s-other", null, label));

        assertEquals(List.of(again, first), labelled(mine, label, null, null));
        assertEquals(List.of(others, again, first), labelled(null, label, null, null));
        assertEquals(
                List.of(again), labelled(mine, label, StatusFilter.where((phase, outcome) -> outcome == null), null));
        assertEquals(List.of(first), labelled(mine, label, null, "look"));
        assertEquals(List.of(), labelled(mine, label.toUpperCase(java.util.Locale.ROOT), null, null));
        assertEquals(List.of(), labelled("s-nobody", label, null, null));
        // The text is searched literally in both, without special characters.
        assertEquals(4, ids(mine, null, "RESEARCH-").size());
        assertEquals(List.of(), ids(mine, null, "research%"));
        assertEquals(List.of(), ids(mine, null, "research_"));
        assertEquals(List.of(), ids(mine, null, "'"));
    }

    @Test
    void pagesOfALabelStayRightWhileTasksAreAdded() {
        String label = "pages-" + UUID.randomUUID().toString().substring(0, 8);
        var newestFirst = new ArrayList<String>();
        for (int i = 0; i < 5; i++) {
            newestFirst.addFirst(record(spawned(session, null, label)));
            record(spawned(session, null, null));
        }
        var seen = new ArrayList<String>();
        TaskCursor after = null;
        do {
            TaskRows page = await(index().list(new TaskQuery(session, new TaskLabel(label), null, null, 2, after)));
            page.rows().forEach(row -> seen.add(row.taskId()));
            after = page.next();
            record(spawned(session, null, label));
        } while (after != null);
        assertEquals(newestFirst, seen);
    }

    @Test
    void tasksAreFoundByToolAndByTheBeginningOfTheirIds() {
        String mine = "s-" + UUID.randomUUID();
        String task = record(spawned(mine, "one"));
        String other = record(spawned(mine, "two"));
        assertEquals(List.of(other, task), of(mine, Set.of("bash"), null));
        assertEquals(List.of(other, task), of(mine, Set.of("shell", "bash"), ""));
        assertEquals(List.of(), of(mine, Set.of("shell"), null));
        assertEquals(List.of(task), of(mine, Set.of(), task));
        assertEquals(List.of(other), of(mine, Set.of("bash"), other.substring(0, other.length() - 1)));
        assertEquals(List.of(), of(mine, Set.of(), "%"));
        assertEquals(List.of(), of(mine, Set.of(), task + "x"));
        assertThrows(IllegalArgumentException.class, () -> TaskQuery.NEWEST.withPrefix("\0"));
    }

    private List<String> of(String session, Set<String> tools, @Nullable String idPrefix) {
        return found(new TaskQuery(session, null, null, null, tools, idPrefix, null, null, false, 5, null));
    }

    @Test
    void childrenAndBatchesAreFoundBehindManyOthers() {
        String mine = "s-" + UUID.randomUUID();
        String parent = record(spawned(mine, "parent"));
        String batch = "b-" + UUID.randomUUID();
        String child = record(spawned(mine, "child", null, new TaskLinks(parent, 1, batch, true, null)));
        String sibling = record(spawned(mine, "sibling", null, new TaskLinks(parent, 1, "b\0", true, null)));
        String grandchild = record(spawned(mine, "grandchild", null, new TaskLinks(child, 2, batch, false, null)));
        String stranger = record(spawned("t-" + mine, "stranger", null, new TaskLinks(null, 0, batch, true, null)));
        for (int i = 0; i <= TaskQuery.USUAL_LIMIT; i++) {
            record(spawned(mine, "other"));
        }
        var here = new TaskQuery(mine, null, null, null, 5, null);
        assertEquals(List.of(sibling, child), found(here.below(parent)));
        assertEquals(List.of(grandchild), found(here.below(child)));
        assertEquals(List.of(), found(here.below(grandchild)));
        assertEquals(List.of(grandchild, child), found(here.inBatch(batch)));
        assertEquals(List.of(stranger, grandchild, child), found(TaskQuery.NEWEST.inBatch(batch)));
        assertEquals(List.of(child), found(here.inBatch(batch).below(parent)));
        assertEquals(List.of(), found(here.inBatch(batch).ofTools(Set.of("none"))));
        assertThrows(IllegalArgumentException.class, () -> here.below("a/b"));
        assertThrows(IllegalArgumentException.class, () -> here.inBatch("\0"));
    }

    @Test
    void clearedTasksAreLeftOutOnRequest() {
        String mine = "s-" + UUID.randomUUID();
        String stays = record(spawned(mine, "stays"), ended(0));
        String cleared = record(spawned(mine, "cleared"), ended(0), new TaskCleared(Actor.SERVER));
        String clearedLater = record(spawned(mine, "cleared later"), ended(3));
        var here = new TaskQuery(mine, null, null, null, 5, null);
        append(clearedLater, new TaskCleared(Actor.SERVER));
        assertEquals(List.of(clearedLater, cleared, stays), found(here));
        assertEquals(List.of(stays), found(here.notCleared()));
        assertEquals(3, await(index().count(here)).all());
        assertEquals(1, await(index().count(here.notCleared())).all());
    }

    private List<String> found(TaskQuery query) {
        return await(index().list(query)).rows().stream().map(TaskRow::taskId).toList();
    }

    @Test
    void countsAreThoseOfTheList() {
        String mine = "s-" + UUID.randomUUID();
        String parent = record(spawned(mine, "the parent"), ToolTaskStatus.running(7));
        String batch = "b-" + UUID.randomUUID();
        var links = new TaskLinks(parent, 1, batch, true, null);
        record(spawned(mine, "child", "c", links), ToolTaskStatus.running(7), ended(0));
        String child = record(spawned(mine, "child", null, links));
        record(spawned(mine, "child", null, new TaskLinks(parent, 1, null, true, null)), ended(3));
        record(spawned("t-" + mine, "child", null, new TaskLinks(null, 0, batch, true, null)));
        var here = new TaskQuery(mine, null, null, null, 5, null);
        for (TaskQuery query : List.of(
                here,
                here.below(parent),
                here.below(child),
                here.inBatch(batch),
                TaskQuery.NEWEST.inBatch(batch),
                here.inBatch(batch).below(parent),
                here.ofTools(Set.of("bash")),
                here.ofTools(Set.of("none")),
                here.withPrefix(child),
                new TaskQuery(mine, new TaskLabel("c"), null, null, 5, null),
                new TaskQuery(mine, null, null, "CHILD", 5, null))) {
            List<TaskRow> rows = await(index().list(query)).rows();
            TaskCounts counts = await(index().count(query));
            assertEquals(rows.size(), counts.all(), query.toString());
            var live = StatusFilter.where((phase, outcome) -> outcome == null);
            assertEquals(rows.stream().filter(row -> row.outcome() == null).count(), counts.of(live), query.toString());
        }
        var oneOfThree =
                new TaskQuery(mine, null, StatusFilter.where((phase, outcome) -> false), "child", 1, new TaskCursor(0));
        assertEquals(3, await(index().count(oneOfThree)).all(), "whatever its status and page");
    }

    @Test
    void titleWithANulIsListed() {
        String mine = "s-" + UUID.randomUUID();
        record(spawned(mine, "a\0b"));
        assertEquals(
                spawned(mine, "a\0b"),
                only(new TaskQuery(mine, null, null, "b", 5, null)).spec());
    }

    @Test
    void aQueryThatMakesNoSenseIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new TaskQuery(null, null, null, null, 0, null));
        assertThrows(IllegalArgumentException.class, () -> new TaskQuery(null, null, null, null, 201, null));
        assertThrows(IllegalArgumentException.class, () -> new TaskQuery("a/b", null, null, null, 1, null));
        assertThrows(IllegalArgumentException.class, () -> new TaskQuery(null, null, null, "\0", 1, null));
        for (String text : List.of("", "-1", "A", "zzzzzzzzzzzzz", "00000000000000", " 1", "1 ")) {
            assertThrows(IllegalArgumentException.class, () -> TaskCursor.parse(text), text);
        }
        assertEquals(new TaskCursor(Long.MAX_VALUE), TaskCursor.parse(new TaskCursor(Long.MAX_VALUE).text()));
    }

    private List<String> ids(String session, @Nullable StatusFilter standing, @Nullable String text) {
        return await(index().list(new TaskQuery(session, null, standing, text, 200, null))).rows().stream()
                .map(TaskRow::taskId)
                .toList();
    }

    private List<String> labelled(
            @Nullable String session, String label, @Nullable StatusFilter standing, @Nullable String text) {
        return await(index().list(new TaskQuery(session, new TaskLabel(label), standing, text, 200, null)))
                .rows()
                .stream()
                .map(TaskRow::taskId)
                .toList();
    }

    private TaskRow only(TaskQuery query) {
        List<TaskRow> rows = await(index().list(query)).rows();
        assertEquals(1, rows.size(), rows::toString);
        return rows.getFirst();
    }

    /** A new task with these frames. */
    private String record(FrameBody... bodies) {
        StreamId stream = fresh();
        await(log().create(stream)).close();
        append(stream.id(), bodies);
        return stream.id();
    }

    private void append(String task, FrameBody... bodies) {
        try (StreamWriter writer = await(log().takeOver(StreamId.task(task)))) {
            for (FrameBody body : bodies) {
                await(writer.append(SAME_TIME, body));
            }
        }
    }

    static ToolTaskSpawned spawned(@Nullable String session, @Nullable String title) {
        return spawned(session, title, null);
    }

    public static ToolTaskSpawned spawned(@Nullable String session, @Nullable String title, @Nullable String label) {
        return spawned(session, title, label, null);
    }

    private static ToolTaskSpawned spawned(
            @Nullable String session, @Nullable String title, @Nullable String label, @Nullable TaskLinks links) {
        return new ToolTaskSpawned(
                "bash",
                new JsonText("{\"command\":\"true\"}"),
                null,
                title,
                ExecutionMode.PTY,
                session,
                List.of(new LogRef(Channel.PTY, "art", "artifacts/art")),
                null,
                null,
                Actor.user("tester"),
                null,
                TaskLabel.ofNullable(label),
                null,
                null,
                null,
                false,
                links,
                null);
    }

    static ToolTaskStatus ended(int exitCode) {
        return new ToolTaskStatus(
                Phase.ENDED, Ending.exit(exitCode), null, 9L, List.of(), null, null, Cause.EXIT, Actor.REAPER);
    }
}
