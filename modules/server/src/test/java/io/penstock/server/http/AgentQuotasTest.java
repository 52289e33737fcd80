package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.engine.policy.Policy;
import io.penstock.engine.session.Quotas;
import io.penstock.testbed.TestBed;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How many agents run at once: of a session, and in all. */
@ExtendWith(VertxExtension.class)
class AgentQuotasTest {

    private static final String SAID = "\"role\":\"assistant\"";

    private AgentTools tools;

    @BeforeEach
    void start(TestBed bed) {
        Quotas quotas = Quotas.DEFAULT.withAgents(3, 2);
        tools = AgentTools.of(bed.add(new RunningEdge(bed.folder(), Policy.LOCAL, quotas)), "one");
    }

    private static String running(AgentTools session) {
        String task = session.spawn("/say runs\n/hang");
        session.await(task, SAID);
        return task;
    }

    @Test
    void quotaOfAllSessionsHoldsBesideThatOfEach() {
        AgentTools two = tools.in("two");
        AgentTools three = tools.in("three");
        String first = running(tools);
        running(tools);
        String third = tools.spawn("/say third");
        running(two);
        String ofTwo = two.spawn("/say of two");
        String ofThree = three.spawn("/say of three");
        for (AgentTools session : List.of(tools, two, three)) {
            assertEquals(1, waiting(session), session.session());
        }
        tools.call("task_kill", "task_id", first);
        assertEquals("third", tools.join(third).getString("result"));
        assertEquals("of two", two.join(ofTwo).getString("result"));
        assertEquals("of three", three.join(ofThree).getString("result"));
    }

    private static long waiting(AgentTools session) {
        return AgentTools.list(session.call("task_list"), "tasks").stream()
                .filter(task -> task.getString("status").equals("spawned"))
                .count();
    }
}
