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

/** What is refused after it was said. */
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
        room.enter(first, "v1", true, resizer);
        room.enter(second, "v2", true, resizer);
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
        rooms.enter("task", first, "v1", true, size -> answer.future());
        Future<?> done = rooms.resized("task", first, new TerminalSize(7, 7));
        assertEquals(
                7,
                rooms.viewers("task").getJsonArray("viewers").getJsonObject(0).getInteger("rows"));
        answer.fail("no");
        assertEquals("no", done.cause().getMessage());
        assertNull(
                rooms.viewers("task").getJsonArray("viewers").getJsonObject(0).getInteger("rows"));
    }
}
