package io.penstock.engine.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.SessionIndex;
import io.penstock.frames.Actor;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The contract of every index of sessions. */
abstract class SessionIndexContract {

    private static final Actor ALICE = Actor.user("alice");

    protected final Vertx vertx = Vertx.vertx();

    protected abstract FrameLog log();

    protected abstract SessionIndex index();

    @Test
    void newestSessionsComeFirstPageByPage() {
        SessionApi sessions = SessionApi.deploy(vertx, log(), index(), System::currentTimeMillis)
                .await();
        assertEquals(List.of(), sessions.list(null, 10).await().sessions());
        for (String id : List.of("a", "b", "c")) {
            sessions.use(id, ALICE).await();
        }
        sessions.end("b", null, ALICE).await();

        SessionPage first = sessions.list(null, 2).await();
        assertEquals(List.of("c", "b"), ids(first));
        assertTrue(first.sessions().getLast().state().ended());
        SessionPage second =
                sessions.list(Objects.requireNonNull(first.next()), 2).await();
        assertEquals(List.of("a"), ids(second));
        assertNull(second.next());
        assertEquals(sessions.state("a").await(), second.sessions().getFirst().state());
    }

    private static List<String> ids(SessionPage page) {
        return page.sessions().stream().map(each -> each.state().sessionId()).toList();
    }
}
