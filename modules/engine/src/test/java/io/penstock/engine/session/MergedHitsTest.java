package io.penstock.engine.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.log.store.MemoryFrameLog;
import io.penstock.frames.Actor;
import io.penstock.frames.Channel;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.SessionProgress;
import io.penstock.frames.SessionWatcherHit;
import io.penstock.frames.TaskWatcherHit;
import io.penstock.frames.ToolEnded;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Matches in a mailbox that nobody reads. */
class MergedHitsTest {

    private static final int FLOOD = 10_000;
    private static final int UNREAD = 7 * Limits.MAILBOX_MERGE_FROM;

    private final Vertx vertx = Vertx.vertx();
    private final MemoryFrameLog log = new MemoryFrameLog(vertx);
    private SessionApi sessions;

    @BeforeEach
    void deploy() {
        sessions = SessionApi.deploy(vertx, log, log, System::currentTimeMillis).await();
        SessionFacts.started(sessions, "s", "t1");
    }

    @AfterEach
    void close() {
        vertx.close().await();
    }

    /** So much that nobody has read that matches are merged from the first one on, for a minute. */
    private void unreadEnds() {
        var all = new ArrayList<Future<?>>();
        for (int i = 0; i < UNREAD; i++) {
            all.add(SessionFacts.recordEnd(sessions, "s", "u" + i));
        }
        Future.all(all).await();
        assertEquals(
                Limits.MAILBOX_MERGE_MOST_MS,
                MergedHits.mergeMs(sessions.state("s").await().progress()));
    }

    private Future<?> hit(String watcher, long seq) {
        var hit = new TaskWatcherHit(watcher, "error", Channel.STDOUT, seq * 10, 3, "bad", seq - 1);
        return sessions.record("s", new SessionEvent.WatcherHit("t1", hit, seq));
    }

    /** Two watchers whose matches alternate, from the frame 10 on. */
    private void flood(int hits) {
        var all = new ArrayList<Future<?>>();
        for (int i = 0; i < hits; i++) {
            all.add(hit("w" + i % 2, 10 + i));
        }
        Future.all(all).await();
    }

    private List<Frame> items() {
        var all = new ArrayList<Frame>();
        long from = 0;
        while (true) {
            Mailbox.Items page = sessions.mailbox("s", from, 200).await();
            if (page.nextSeq() == from) {
                return all;
            }
            all.addAll(page.items());
            from = page.nextSeq();
        }
    }

    @Test
    void floodThatNobodyReadsIsAFewItemsWithEveryMatch() {
        flood(FLOOD);
        SessionFacts.ended(sessions, "s", "t1");
        List<Frame> items = items();
        assertTrue(items.size() < 2 * Limits.MAILBOX_MERGE_FROM, items.size() + " items");
        assertTrue(items.getLast().body() instanceof ToolEnded);

        // The ranges of a watcher follow each other, and have all of its matches.
        var lastSeq = new HashMap<String, Long>();
        long count = 0;
        for (Frame item : items.subList(0, items.size() - 1)) {
            var hit = (SessionWatcherHit) item.body();
            assertTrue(hit.taskSeq() > lastSeq.getOrDefault(hit.watcherId(), 0L), hit::toString);
            assertEquals(hit.lastTaskSeq() - hit.taskSeq(), 2 * (hit.count() - 1), hit::toString);
            lastSeq.put(hit.watcherId(), hit.lastTaskSeq());
            count += hit.count();
        }
        assertEquals(FLOOD, count);
        assertEquals(items.size(), sessions.state("s").await().progress().items());
    }

    @Test
    void endsAreNeverMergedOrDropped() {
        flood(FLOOD);
        for (int i = 0; i < 300; i++) {
            SessionFacts.started(sessions, "s", "n" + i);
            SessionFacts.ended(sessions, "s", "n" + i);
        }
        assertEquals(
                300,
                items().stream()
                        .filter(item -> item.body() instanceof ToolEnded)
                        .count());
    }

    @Test
    void acknowledgingRecordsTheMergedMatches() {
        unreadEnds();
        flood(100);
        SessionState state = sessions.state("s").await();
        assertEquals(UNREAD, state.progress().items());
        sessions.acknowledge("s", state.nextSeq() - 1, Actor.user("alice")).await();
        // Carried out in order, so the matches are recorded before this one.
        hit("w0", 9_000).await();
        List<Frame> items = items();
        assertEquals(UNREAD + 3, items.size());
        assertEquals(50, ((SessionWatcherHit) items.get(items.size() - 3).body()).count());
        assertEquals(1, ((SessionWatcherHit) items.getLast().body()).count());
    }

    @Test
    void endOfTheSessionComesBehindTheMergedMatches() {
        unreadEnds();
        flood(100);
        SessionState ended = sessions.end("s", null, Actor.user("alice")).await();
        assertEquals(UNREAD + 2, ended.progress().items());
        assertTrue(ended.ended());
    }

    @Test
    void matchThatIsSentAgainIsCountedOnce() {
        unreadEnds();
        hit("w0", 5_000).await();
        hit("w0", 5_000).await();
        SessionFacts.ended(sessions, "s", "t1");
        List<Frame> items = items();
        assertEquals(1, ((SessionWatcherHit) items.get(items.size() - 2).body()).count());
    }

    @Test
    void orderlyStopRecordsTheMergedMatches() {
        unreadEnds();
        flood(100);
        vertx.deploymentIDs().stream().toList().forEach(id -> vertx.undeploy(id).await());
        sessions = SessionApi.deploy(vertx, log, log, System::currentTimeMillis).await();
        assertEquals(UNREAD + 2, items().size());
    }

    @Test
    void matchesAreMergedLongerTheMoreItemsWait() {
        assertEquals(1_000, MergedHits.mergeMs(unread(0)));
        assertEquals(1_000, MergedHits.mergeMs(unread(256)));
        assertEquals(2_000, MergedHits.mergeMs(unread(512)));
        assertEquals(32_000, MergedHits.mergeMs(unread(1_536)));
        assertEquals(60_000, MergedHits.mergeMs(unread(1_792)));
        assertEquals(60_000, MergedHits.mergeMs(unread(1L << 50)));
    }

    @Test
    void webhookThatKeepsUpKeepsMatchesApart() {
        sessions.record("s", new WebhookEvent.Set("https://a:443", "rule", Actor.user("alice")))
                .await();
        for (int i = 0; i < 2 * Limits.MAILBOX_MERGE_FROM; i++) {
            hit("w0", 10 + i).await();
            long seq = sessions.state("s").await().nextSeq() - 1;
            sessions.record("s", new WebhookEvent.Settled(seq, 1, 200, null)).await();
        }
        assertEquals(2 * Limits.MAILBOX_MERGE_FROM, items().size());
        assertEquals(
                2L * Limits.MAILBOX_MERGE_FROM,
                sessions.state("s").await().progress().waiting());
    }

    private static SessionProgress unread(long items) {
        return new SessionProgress(0, 0, items, 0, 0);
    }
}
