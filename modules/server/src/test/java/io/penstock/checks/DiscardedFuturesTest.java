package io.penstock.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No call's future is discarded, since its failure would be lost with it. Error Prone's FutureReturnValueIgnored knows Java's futures only,
 * so this test looks for a call in the classes that returns a Vert.x future, and for an instruction behind it that discards the value.
 */
class DiscardedFuturesTest {

    private static final List<String> MODULES = List.of("modules/engine", "modules/server");

    /** Each method whose future callers may discard, and where its failure is handled. */
    private static final Map<String, String> HANDLED_ELSEWHERE = Map.ofEntries(
            Map.entry("Future.onComplete", "it is the handler"),
            Map.entry("Future.onFailure", "it is the handler"),
            Map.entry("Future.onSuccess", "the same future has a second handler, or cannot fail"),
            Map.entry("Timer.onSuccess", "a timer fails only if it is cancelled"),
            Map.entry("HttpServerResponse.end", "a broken connection is handled where it is closed"),
            Map.entry("HttpServerResponse.write", "a broken connection is handled where it is closed"),
            Map.entry("HttpServerResponse.reset", "what cannot be reset is closed already"),
            Map.entry("HttpClientRequest.reset", "what cannot be reset is closed already"),
            Map.entry("HttpConnection.close", "what cannot be closed is closed already"),
            Map.entry("ServerWebSocket.close", "what cannot be closed is closed already"),
            Map.entry("ServerWebSocket.writePing", "a missing pong closes the connection"),
            Map.entry("PgConnection.close", "what cannot be closed is closed already"),
            Map.entry("DrainConnection.close", "after a failure of the same connection"),
            Map.entry("Partitions.ensureFrameDay", "the insert behind it on the same connection fails too"),
            Map.entry("Partitions.ensureIdempotencyDay", "the insert behind it on the same connection fails too"),
            Map.entry("ArtifactVerticle.remove", "it logs"),
            Map.entry("HostDirectory.readNewest", "the list is read again with the next task"),
            Map.entry("TaskRecord.write", "the record is broken from then on, which ends the task"),
            Map.entry("AgentPermissions.answer", "it completes as its TaskRecord.write does"),
            Map.entry("TaskApi.cancelBelow", "it logs"),
            Map.entry("TaskStream.stop", "it completes as its TaskRecord.write does"),
            Map.entry("TaskStart.awaitTurn", "the task is abandoned, and the failure logged"),
            Map.entry("TaskStart.carryOut", "it completes as its TaskRecord.write does"),
            Map.entry("ScreenSlot.next", "a keyframe that is not stored is computed again"),
            Map.entry("InputThread.closeInput", "the program has closed the input already"),
            Map.entry("AttachedViewers.in", "it reverts the change"));

    private record Discarded(String method, String place) {}

    @Test
    void noFutureIsDiscarded() throws IOException {
        var places = new TreeSet<String>();
        for (Discarded call : discardedInTheModules()) {
            if (!HANDLED_ELSEWHERE.containsKey(call.method())) {
                places.add(call.place() + " discards the future of " + call.method());
            }
        }
        assertEquals(Set.of(), places);
    }

    @Test
    void everyExceptionIsNeeded() throws IOException {
        var needed = new TreeSet<String>();
        discardedInTheModules().forEach(call -> needed.add(call.method()));
        assertEquals(needed, new TreeSet<>(HANDLED_ELSEWHERE.keySet()));
    }

    @Test
    void aDiscardedFutureIsFound(@TempDir Path folder) throws IOException {
        var compiled = Snippets.compile(
                folder,
                List.of(
                        "package canary; class Canary { void run(Journal journal) { journal.sync(); } }",
                        "package canary; interface Journal { io.vertx.core.Future<Void> sync(); }",
                        "package io.vertx.core; public interface Future<T> {}"));
        assertEquals(0, compiled.exitCode(), compiled.output());
        Set<Discarded> found = new HashSet<>();
        for (Path file : Checkout.filesBelow(compiled.classes(), ".class")) {
            found.addAll(discarded(ClassFile.of().parse(file)));
        }
        assertEquals(Set.of(new Discarded("Journal.sync", "canary.Canary:1")), found);
    }

    private static Set<Discarded> discardedInTheModules() throws IOException {
        var found = new HashSet<Discarded>();
        for (String module : MODULES) {
            List<Path> files = Checkout.filesBelow(Checkout.classesOf(Checkout.ROOT.resolve(module)), ".class");
            assertTrue(!files.isEmpty(), () -> module + " has no classes");
            for (Path file : files) {
                found.addAll(discarded(ClassFile.of().parse(file)));
            }
        }
        return found;
    }

    private static Set<Discarded> discarded(ClassModel type) {
        var found = new HashSet<Discarded>();
        String name = type.thisClass().asInternalName().replace('/', '.');
        type.methods().forEach(method -> method.code().ifPresent(code -> find(code, name, found)));
        return found;
    }

    private static void find(CodeModel code, String type, Set<Discarded> found) {
        InvokeInstruction call = null;
        int line = 0;
        for (CodeElement element : code) {
            if (element instanceof LineNumber number) {
                line = number.line();
            } else if (element instanceof Instruction instruction) {
                if (call != null && instruction.opcode() == Opcode.POP) {
                    found.add(new Discarded(method(call), type + ":" + line));
                }
                call = callOfAFuture(instruction);
            }
        }
    }

    private static @Nullable InvokeInstruction callOfAFuture(Instruction instruction) {
        return instruction instanceof InvokeInstruction call
                        && call.typeSymbol().returnType().descriptorString().equals("Lio/vertx/core/Future;")
                ? call
                : null;
    }

    private static String method(InvokeInstruction call) {
        return call.owner().asInternalName().replaceAll(".*/", "") + "."
                + call.name().stringValue();
    }
}
