package io.penstock.server.ws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.penstock.engine.spawn.TerminalSize;
import io.penstock.server.ws.wire.SizePolicy;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Refused changes, and clients that reconnect. */
class TaskViewersTest {

    private static final class Silent implements AttachedViewers.Listener {
        @Override
        public void othersChanged() {}
    }

    private final TaskViewers viewers = new TaskViewers();
    private final AttachedViewers.Listener first = new Silent();
    private final AttachedViewers.Listener second = new Silent();
    private final List<TerminalSize> resizes = new ArrayList<>();
    private final TaskViewers.Resizer resizer = size -> {
        resizes.add(size);
        return Future.succeededFuture(1L);
    };

    TaskViewersTest() {
        viewers.enter(first, "v1", "one", true, resizer);
        viewers.enter(second, "v2", "two", true, resizer);
    }

    private JsonObject viewer(int number) {
        return viewers.toJson().getJsonArray("viewers").getJsonObject(number);
    }

    @Test
    void refusedSizeDoesNotCountAmongTheSmallest() {
        viewers.resized(first, new TerminalSize(40, 100));
        viewers.revert(viewers.resized(second, new TerminalSize(7, 7)));
        assertNull(viewer(1).getInteger("rows"));
        viewers.choose(first, SizePolicy.SMALLEST);
        assertEquals(new TerminalSize(40, 100), resizes.getLast());
    }

    @Test
    void sizeStatedAfterARefusedOneStays() {
        TaskViewers.Change refused = viewers.resized(first, new TerminalSize(7, 7));
        viewers.resized(first, new TerminalSize(40, 100));
        viewers.revert(refused);
        assertEquals(40, viewer(0).getInteger("rows"));
    }

    @Test
    void refusedPolicyIsRevertedUnlessAnotherWasChosenSince() {
        viewers.resized(first, new TerminalSize(40, 100));
        TaskViewers.Change refused = viewers.choose(first, SizePolicy.LEADER);
        assertEquals("v1", viewers.toJson().getString("leader"));
        viewers.revert(refused);
        assertEquals("latest", viewers.toJson().getString("size_policy"));
        assertNull(viewers.toJson().getString("leader"));
        TaskViewers.Change early = viewers.choose(second, SizePolicy.LEADER);
        viewers.choose(first, SizePolicy.SMALLEST);
        viewers.revert(early);
        assertEquals("smallest", viewers.toJson().getString("size_policy"));
    }

    @Test
    void refusedResizeIsReverted() {
        var all = new AttachedViewers(() -> {});
        Promise<Long> answer = Promise.promise();
        all.enter("task", first, "v1", "one", true, size -> answer.future());
        Future<?> done = all.resized("task", first, new TerminalSize(7, 7));
        assertEquals(
                7, all.viewers("task").getJsonArray("viewers").getJsonObject(0).getInteger("rows"));
        answer.fail("no");
        assertEquals("no", done.cause().getMessage());
        assertNull(all.viewers("task").getJsonArray("viewers").getJsonObject(0).getInteger("rows"));
    }

    @Test
    void clientThatReconnectsEarlyAppearsOnce() {
        viewers.resized(first, new TerminalSize(7, 7));
        viewers.resized(second, new TerminalSize(40, 100));
        AttachedViewers.Listener again = new Silent();
        viewers.enter(again, "v3", "one", true, resizer);
        assertEquals(List.of("v3", "v2"), names());
        viewers.remove(first);
        assertEquals(List.of("v2", "v3"), names());
        // Of two connections, the older one stays.
        AttachedViewers.Listener third = new Silent();
        viewers.enter(third, "v4", "one", true, resizer);
        viewers.remove(third);
        assertEquals(List.of("v2", "v3"), names());
    }

    @Test
    void leaderThatReconnectsLeadsAgain() {
        viewers.resized(first, new TerminalSize(7, 7));
        viewers.resized(second, new TerminalSize(40, 100));
        viewers.choose(first, SizePolicy.LEADER);
        viewers.remove(first);
        assertEquals("v2", viewers.toJson().getString("leader"));
        assertEquals(new TerminalSize(40, 100), resizes.getLast());
        AttachedViewers.Listener again = new Silent();
        viewers.enter(again, "v3", "one", true, resizer);
        assertEquals("v3", viewers.toJson().getString("leader"));
        viewers.resized(again, new TerminalSize(8, 8));
        assertEquals(new TerminalSize(8, 8), resizes.getLast());
    }

    @Test
    void clientThatReconnectsKeepsItsSize() {
        viewers.resized(first, new TerminalSize(7, 7));
        viewers.resized(second, new TerminalSize(40, 100));
        viewers.choose(second, SizePolicy.SMALLEST);
        AttachedViewers.Listener again = new Silent();
        viewers.enter(again, "v3", "one", true, resizer);
        viewers.remove(first);
        assertEquals(new TerminalSize(7, 7), resizes.getLast());
        assertEquals(7, viewer(1).getInteger("rows"));
        // A client that has no control now states no size.
        viewers.enter(new Silent(), "v4", "one", false, resizer);
        assertNull(viewer(1).getInteger("rows"));
    }

    @Test
    void sizeIsRestoredOnTheNextConnection() {
        viewers.resized(second, new TerminalSize(40, 100));
        viewers.choose(second, SizePolicy.SMALLEST);
        viewers.restoreSize(first, new TerminalSize(7, 7));
        assertEquals(new TerminalSize(7, 7), resizes.getLast());
        viewers.restoreSize(first, new TerminalSize(9, 9));
        assertEquals(new TerminalSize(7, 7), resizes.getLast());
    }

    private List<String> names() {
        return viewers.toJson().getJsonArray("viewers").stream()
                .map(each -> ((JsonObject) each).getString("viewer"))
                .toList();
    }
}
