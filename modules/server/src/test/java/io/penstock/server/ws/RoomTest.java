package io.penstock.server.ws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.penstock.engine.spawn.TerminalSize;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is refused after it was said, and who comes back. */
class RoomTest {

    private static final class Somebody implements Rooms.Guest {
        @Override
        public void othersChanged() {}
    }

    private final Room room = new Room();
    private final Rooms.Guest first = new Somebody();
    private final Rooms.Guest second = new Somebody();
    private final List<TerminalSize> given = new ArrayList<>();
    private final Room.Resizer resizer = size -> {
        given.add(size);
        return Future.succeededFuture(1L);
    };

    RoomTest() {
        room.enter(first, "v1", "one", true, resizer);
        room.enter(second, "v2", "two", true, resizer);
    }

    private JsonObject seat(int number) {
        return room.toJson().getJsonArray("viewers").getJsonObject(number);
    }

    @Test
    void aSizeThatIsRefusedIsNotCountedAmongTheSmallest() {
        room.resized(first, new TerminalSize(40, 100));
        room.undo(room.resized(second, new TerminalSize(7, 7)));
        assertNull(seat(1).getInteger("rows"));
        room.choose(first, SizePolicy.SMALLEST);
        assertEquals(new TerminalSize(40, 100), given.getLast());
    }

    @Test
    void aSizeThatCameAfterTheOneThatIsRefusedStays() {
        Room.Change refused = room.resized(first, new TerminalSize(7, 7));
        room.resized(first, new TerminalSize(40, 100));
        room.undo(refused);
        assertEquals(40, seat(0).getInteger("rows"));
    }

    @Test
    void aPolicyThatIsRefusedHasNotBeenChosenUnlessAnotherWasSince() {
        room.resized(first, new TerminalSize(40, 100));
        Room.Change refused = room.choose(first, SizePolicy.LEADER);
        assertEquals("v1", room.toJson().getString("leader"));
        room.undo(refused);
        assertEquals("latest", room.toJson().getString("size_policy"));
        assertNull(room.toJson().getString("leader"));
        Room.Change early = room.choose(second, SizePolicy.LEADER);
        room.choose(first, SizePolicy.SMALLEST);
        room.undo(early);
        assertEquals("smallest", room.toJson().getString("size_policy"));
    }

    @Test
    void whatIsRefusedIsUndoneByItsRoom() {
        var rooms = new Rooms(() -> {});
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
        Rooms.Guest again = new Somebody();
        room.enter(again, "v3", "one", true, resizer);
        assertEquals(List.of("v3", "v2"), names());
        room.leave(first);
        assertEquals(List.of("v2", "v3"), names());
        // It is the older of the two that stays.
        Rooms.Guest third = new Somebody();
        room.enter(third, "v4", "one", true, resizer);
        room.leave(third);
        assertEquals(List.of("v2", "v3"), names());
    }

    @Test
    void whoLeadsAndComesBackLeads() {
        room.resized(first, new TerminalSize(7, 7));
        room.resized(second, new TerminalSize(40, 100));
        room.choose(first, SizePolicy.LEADER);
        room.leave(first);
        assertEquals("v2", room.toJson().getString("leader"));
        assertEquals(new TerminalSize(40, 100), given.getLast());
        Rooms.Guest again = new Somebody();
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
        Rooms.Guest again = new Somebody();
        room.enter(again, "v3", "one", true, resizer);
        room.leave(first);
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
        room.saidBefore(first, new TerminalSize(7, 7));
        assertEquals(new TerminalSize(7, 7), given.getLast());
        room.saidBefore(first, new TerminalSize(9, 9));
        assertEquals(new TerminalSize(7, 7), given.getLast());
    }

    private List<String> names() {
        return room.toJson().getJsonArray("viewers").stream()
                .map(seat -> ((JsonObject) seat).getString("viewer"))
                .toList();
    }
}
