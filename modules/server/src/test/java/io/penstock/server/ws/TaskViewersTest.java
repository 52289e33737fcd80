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

/** What is refused after it was said, and who comes back. */
class TaskViewersTest {

    private static final class Somebody implements AttachedViewers.Listener {
        @Override
        public void othersChanged() {}
    }

    private final TaskViewers room = new TaskViewers();
    private final AttachedViewers.Listener first = new Somebody();
    private final AttachedViewers.Listener second = new Somebody();
    private final List<TerminalSize> given = new ArrayList<>();
    private final TaskViewers.Resizer resizer = size -> {
        given.add(size);
        return Future.succeededFuture(1L);
    };

    TaskViewersTest() {
        room.enter(first, "v1", "one", true, resizer);
        room.enter(second, "v2", "two", true, resizer);
    }

    private JsonObject seat(int number) {
        return room.toJson().getJsonArray("viewers").getJsonObject(number);
    }

    @Test
    void aSizeThatIsRefusedIsNotCountedAmongTheSmallest() {
        room.resized(first, new TerminalSize(40, 100));
        room.revert(room.resized(second, new TerminalSize(7, 7)));
        assertNull(seat(1).getInteger("rows"));
        room.choose(first, SizePolicy.SMALLEST);
        assertEquals(new TerminalSize(40, 100), given.getLast());
    }

    @Test
    void aSizeThatCameAfterTheOneThatIsRefusedStays() {
        TaskViewers.Change refused = room.resized(first, new TerminalSize(7, 7));
        room.resized(first, new TerminalSize(40, 100));
        room.revert(refused);
        assertEquals(40, seat(0).getInteger("rows"));
    }

    @Test
    void aPolicyThatIsRefusedHasNotBeenChosenUnlessAnotherWasSince() {
        room.resized(first, new TerminalSize(40, 100));
        TaskViewers.Change refused = room.choose(first, SizePolicy.LEADER);
        assertEquals("v1", room.toJson().getString("leader"));
        room.revert(refused);
        assertEquals("latest", room.toJson().getString("size_policy"));
        assertNull(room.toJson().getString("leader"));
        TaskViewers.Change early = room.choose(second, SizePolicy.LEADER);
        room.choose(first, SizePolicy.SMALLEST);
        room.revert(early);
        assertEquals("smallest", room.toJson().getString("size_policy"));
    }

    @Test
    void whatIsRefusedIsUndoneByItsRoom() {
        var rooms = new AttachedViewers(() -> {});
        Promise<Long> answer = Promise.promise();
        rooms.enter("task", first, "v1", "one", true, size -> answer.future());
        Future<?> done = rooms.resized("task", first, new TerminalSize(7, 7));
        assertEquals(
                7,
                rooms.viewers("task").getJsonArray("viewers").getJsonObject(0).getInteger("rows"));
        answer.fail("no");
        assertEquals("no", done.cause().getMessage());
        assertNull(
                rooms.viewers("task").getJsonArray("viewers").getJsonObject(0).getInteger("rows"));
    }

    @Test
    void whoComesBackBeforeItHasLeftIsThereOnce() {
        room.resized(first, new TerminalSize(7, 7));
        room.resized(second, new TerminalSize(40, 100));
        AttachedViewers.Listener again = new Somebody();
        room.enter(again, "v3", "one", true, resizer);
        assertEquals(List.of("v3", "v2"), names());
        room.remove(first);
        assertEquals(List.of("v2", "v3"), names());
        // It is the older of the two that stays.
        AttachedViewers.Listener third = new Somebody();
        room.enter(third, "v4", "one", true, resizer);
        room.remove(third);
        assertEquals(List.of("v2", "v3"), names());
    }

    @Test
    void whoLeadsAndComesBackLeads() {
        room.resized(first, new TerminalSize(7, 7));
        room.resized(second, new TerminalSize(40, 100));
        room.choose(first, SizePolicy.LEADER);
        room.remove(first);
        assertEquals("v2", room.toJson().getString("leader"));
        assertEquals(new TerminalSize(40, 100), given.getLast());
        AttachedViewers.Listener again = new Somebody();
        room.enter(again, "v3", "one", true, resizer);
        assertEquals("v3", room.toJson().getString("leader"));
        room.resized(again, new TerminalSize(8, 8));
        assertEquals(new TerminalSize(8, 8), given.getLast());
    }

    @Test
    void whoComesBackHasTheSizeThatItHad() {
        room.resized(first, new TerminalSize(7, 7));
        room.resized(second, new TerminalSize(40, 100));
        room.choose(second, SizePolicy.SMALLEST);
        AttachedViewers.Listener again = new Somebody();
        room.enter(again, "v3", "one", true, resizer);
        room.remove(first);
        assertEquals(new TerminalSize(7, 7), given.getLast());
        assertEquals(7, seat(1).getInteger("rows"));
        // Who only watches now wants no size.
        room.enter(new Somebody(), "v4", "one", false, resizer);
        assertNull(seat(1).getInteger("rows"));
    }

    @Test
    void aSizeThatWasSaidBeforeTheConnectionBrokeIsSaidOnTheNextToo() {
        room.resized(second, new TerminalSize(40, 100));
        room.choose(second, SizePolicy.SMALLEST);
        room.restoreSize(first, new TerminalSize(7, 7));
        assertEquals(new TerminalSize(7, 7), given.getLast());
        room.restoreSize(first, new TerminalSize(9, 9));
        assertEquals(new TerminalSize(7, 7), given.getLast());
    }

    private List<String> names() {
        return room.toJson().getJsonArray("viewers").stream()
                .map(seat -> ((JsonObject) seat).getString("viewer"))
                .toList();
    }
}
