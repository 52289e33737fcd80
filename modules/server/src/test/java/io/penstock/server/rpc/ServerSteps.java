package io.penstock.server.rpc;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.EventRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stops a server at one of its steps, with all of its threads: a step is about to write to the journal, to an agent program, to a file or to a
 * host. The server has a debugger's port for that, and is otherwise as usual.
 */
final class ServerSteps implements AutoCloseable {

    /** An option of the server's JVM. */
    static final String JVM_OPTION = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0";

    private static final String LISTENING = "Listening for transport dt_socket at address: ";

    private static final Map<String, List<String>> STEPS = Map.of(
            "io.penstock.engine.log.store.JournalGate", List.of("append"),
            "io.penstock.engine.task.agent.AgentInput", List.of("write"),
            "io.penstock.engine.task.agent.WorkspaceFiles", List.of("createFolder", "replace"),
            "io.penstock.engine.launch.ProgramLauncher", List.of("prepare", "launch"),
            "io.penstock.server.rpc.RpcConnection", List.of("flush"));

    private final VirtualMachine machine;
    private final AtomicInteger left = new AtomicInteger();
    private volatile CompletableFuture<String> reached = new CompletableFuture<>();

    /** @param said the lines of the server before it was ready */
    ServerSteps(List<String> said) {
        String port = said.stream()
                .filter(line -> line.startsWith(LISTENING))
                .map(line -> line.substring(LISTENING.length()))
                .findFirst()
                .orElseThrow();
        AttachingConnector connector = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(each -> each.name().equals("com.sun.jdi.SocketAttach"))
                .findFirst()
                .orElseThrow();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        Objects.requireNonNull(arguments.get("hostname")).setValue("127.0.0.1");
        Objects.requireNonNull(arguments.get("port")).setValue(port.replaceAll(".*:", ""));
        try {
            machine = connector.attach(arguments);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (IllegalConnectorArgumentsException e) {
            throw new AssertionError(e);
        }
        for (String name : STEPS.keySet()) {
            machine.classesByName(name).forEach(this::watch);
            var loaded = machine.eventRequestManager().createClassPrepareRequest();
            loaded.addClassFilter(name);
            loaded.enable();
        }
        Thread.ofPlatform().daemon().start(this::serve);
    }

    private void watch(ReferenceType type) {
        for (String method : STEPS.getOrDefault(type.name(), List.of())) {
            type.methodsByName(method).forEach(each -> {
                BreakpointRequest step = machine.eventRequestManager().createBreakpointRequest(each.location());
                step.setSuspendPolicy(EventRequest.SUSPEND_ALL);
                step.enable();
            });
        }
    }

    /** Completes at this step from now on, with its name; the server stands still then. */
    CompletableFuture<String> stopAt(int step) {
        reached = new CompletableFuture<>();
        left.set(step);
        return reached;
    }

    private void serve() {
        try {
            while (true) {
                EventSet events = machine.eventQueue().remove();
                boolean stops = false;
                for (Event event : events) {
                    if (event instanceof ClassPrepareEvent prepared) {
                        watch(prepared.referenceType());
                    } else if (event instanceof BreakpointEvent step && left.getAndDecrement() == 1) {
                        stops = true;
                        reached.complete(step.location().method().toString());
                    }
                }
                if (!stops) {
                    events.resume();
                }
            }
        } catch (VMDisconnectedException | InterruptedException e) {
            // The server was killed.
        }
    }

    @Override
    public void close() {
        try {
            machine.dispose();
        } catch (VMDisconnectedException e) {
            // The server was killed.
        }
    }
}
