package io.penstock.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several hosts that want the same at the same time, and hosts that come and go. */
class ContendingHostsTest extends OneRpcServer {

    private static final int HOSTS = 8;

    private List<Host> hosts() {
        var hosts = new ArrayList<Host>();
        for (int i = 0; i < HOSTS; i++) {
            hosts.add(server.host());
        }
        return hosts;
    }

    /** Sends a request from each host at once; returns the hosts whose request was successful. */
    private static List<Host> ask(List<Host> hosts, String id, String type, List<JsonObject> payloads) {
        for (int i = 0; i < HOSTS; i++) {
            hosts.get(i).send(id + i, type, payloads.get(i));
        }
        var done = new ArrayList<Host>();
        for (int i = 0; i < HOSTS; i++) {
            JsonObject answer = hosts.get(i).response(id + i);
            if (answer.getBoolean("ok")) {
                done.add(hosts.get(i));
            } else {
                assertEquals("TASK_NOT_READY", answer.getJsonObject("error").getString("code"), answer.encode());
            }
        }
        return done;
    }

    private static List<JsonObject> each(JsonObject payload) {
        return Collections.nCopies(HOSTS, payload);
    }

    @Test
    void oneOfSeveralHostsOpensATask() {
        List<Host> hosts = hosts();
        try {
            for (int round = 0; round < 3; round++) {
                assertEquals(
                        1,
                        ask(hosts, "open-" + round + "-", "create_or_open_task", each(Host.task("wanted")))
                                .size());
                // A stop of a stopped task is successful, too.
                assertEquals(
                        HOSTS,
                        ask(hosts, "stop-" + round + "-", "stop_task", each(Host.task("wanted")))
                                .size());
            }
            for (Host host : hosts) {
                assertEquals("stopped", host.state("wanted"));
                assertEquals(
                        3,
                        host.heard.stream()
                                .filter(line -> "task_stopped".equals(line.getString("event")))
                                .count());
            }
        } finally {
            hosts.forEach(Host::close);
        }
    }

    @Test
    void oneOfSeveralPromptsIsAcceptedAndAllHostsSeeIt() {
        List<Host> hosts = hosts();
        try {
            for (int round = 0; round < 2; round++) {
                hosts.getFirst().create("asked");
                hosts.getFirst().switchTo("asked");
                List<JsonObject> prompts = new ArrayList<>();
                for (int i = 0; i < HOSTS; i++) {
                    prompts.add(Host.message("/say hello\n/sleep 600000", round + "/" + i));
                }
                List<Host> accepted = ask(hosts, "prompt-" + round + "-", "prompt", prompts);
                assertEquals(1, accepted.size());
                String promptId = round + "/" + hosts.indexOf(accepted.getFirst());
                hosts.getFirst().stop("asked");
                for (Host host : hosts) {
                    JsonObject end = host.eventSoFar("agent_end", "asked").getJsonObject("payload");
                    assertEquals(promptId, end.getString("promptId"));
                    host.heard.clear();
                }
            }
        } finally {
            hosts.forEach(Host::close);
        }
    }

    @Test
    void hostsThatComeAndGoDisturbNobody() {
        try (Host host = server.host()) {
            host.create("stormy");
            host.switchTo("stormy");
            host.prompt("/flood 1000000\n/say calm", "storm");
            for (int i = 0; i < 300; i++) {
                try (var guest = new Host(server.address())) {
                    guest.send("guest-" + i, i % 3 == 0 ? "get_state" : "switch_task", Host.task("stormy"));
                    if (i % 2 == 0) {
                        guest.next();
                    }
                }
            }
            host.event("agent_end", "stormy");
            assertTrue(host.said("storm").endsWith("calm"));
            assertEquals("stormy", host.active());
            host.stop("stormy");
        }
    }
}
