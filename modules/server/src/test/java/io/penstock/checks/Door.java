package io.penstock.checks;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The engine's door: the types of the engine that edges may use. An edge is every package below {@code io.penstock.server}; the
 * composition, {@code io.penstock.server} itself, sees more. A new line needs a reason that holds for every edge.
 */
final class Door {

    /** Some types of one package of the engine, {@code *} for all, and what an edge needs them for. */
    private record Opening(String what, String packageName, List<String> types) {}

    private static final List<Opening> OPENINGS = List.of(
            new Opening(
                    "commands to tasks and reads of them; the values that go in and come out",
                    "io.penstock.engine.pump",
                    List.of(
                            "AgentApi",
                            "AgentRequest",
                            "FoundFrames",
                            "StateWait",
                            "TaskApi",
                            "TaskCommand",
                            "TaskPage",
                            "TaskView")),
            new Opening(
                    "sessions and their mailboxes",
                    "io.penstock.engine.session",
                    List.of("Mailbox", "MailboxItem", "SessionApi", "SessionPage", "SessionState", "WebhookEvent")),
            new Opening(
                    "a watcher, in a spawn and in its own command", "io.penstock.engine.watch", List.of("WatchSpec")),
            new Opening(
                    "which tasks a list has",
                    "io.penstock.engine.log",
                    List.of("StatusFilter", "TaskCounts", "TaskCursor", "TaskQuery")),
            new Opening(
                    "the size of a terminal, in a spawn and in a resize",
                    "io.penstock.engine.spawn",
                    List.of("TerminalSize")),
            new Opening("a task's frames for a viewer, and outputs in pages", "io.penstock.engine.view", List.of("*")),
            new Opening(
                    "the agent programs of the configuration",
                    "io.penstock.engine.agent",
                    List.of("AgentProfile", "AgentProfiles", "TurnRates")),
            new Opening("the request of a spawn", "io.penstock.engine.launch", List.of("TaskRequest")),
            new Opening(
                    "a loop over futures that keeps the stack short", "io.penstock.engine.log", List.of("AsyncLoop")),
            new Opening(
                    "what TaskApi.follow and TaskApi.frames return",
                    "io.penstock.engine.log",
                    List.of("FrameFollower", "Page")),
            new Opening(
                    "screens and recordings",
                    "io.penstock.engine.screen",
                    List.of(
                            "CastFormat",
                            "CastRecording",
                            "RenderedScreen",
                            "ScreenJson",
                            "ScreenSnapshot",
                            "Screens")),
            new Opening(
                    "outputs as bytes: an answer in ranges is sent from the open file",
                    "io.penstock.engine.artifact",
                    List.of("Artifact", "ByteRange", "LineRange", "ReadFile", "RecordedBytes", "Sealed")),
            new Opening("the text of a page of output", "io.penstock.engine.artifact.text", List.of("TextRange")),
            new Opening("the health of the log, for operators", "io.penstock.engine.ledger", List.of("LedgerHealth")),
            new Opening("the state of the journal in it", "io.penstock.engine.log.journal", List.of("JournalState")),
            new Opening(
                    "what retention keeps and has removed, for operators",
                    "io.penstock.engine.retention",
                    List.of("Janitor", "JanitorStatus")),
            new Opening(
                    "one removal in it, and the limits",
                    "io.penstock.engine.log.retention",
                    List.of("LedgerLimits", "Removal")),
            new Opening("the health of the policy", "io.penstock.engine.policy", List.of("PolicyStatus")),
            new Opening("where mailbox items may be sent", "io.penstock.engine.policy", List.of("WebhookGate")),
            new Opening("the frames that metrics count", "io.penstock.engine.log", List.of("FrameListener")),
            new Opening(
                    "the limit of descriptors, which tasks and connections share",
                    "io.penstock.engine.spawn.linux",
                    List.of("DescriptorBudget")));

    private static final Set<String> TYPES = OPENINGS.stream()
            .flatMap(opening -> opening.types().stream().map(type -> opening.packageName() + "." + type))
            .collect(Collectors.toUnmodifiableSet());

    private Door() {}

    /** Whether the type is the engine's, but neither in the list nor nested in a type of the list. */
    static boolean isBehind(JavaClass type) {
        JavaClass single = type.getBaseComponentType();
        return single.getPackageName().startsWith("io.penstock.engine") && Collections.disjoint(TYPES, names(single));
    }

    /** The types of the list that none of these classes uses. */
    static Set<String> unused(Iterable<JavaClass> classes) {
        Set<String> unused = new TreeSet<>(TYPES);
        for (JavaClass user : classes) {
            if (user.getPackageName().startsWith("io.penstock.server.")) {
                user.getDirectDependenciesFromSelf()
                        .forEach(use ->
                                unused.removeAll(names(use.getTargetClass().getBaseComponentType())));
            }
        }
        return unused;
    }

    /** The name of the type that contains this one, and the name for all types of its package. */
    private static Set<String> names(JavaClass type) {
        return Set.of(type.getName().replaceAll("\\$.*", ""), type.getPackageName() + ".*");
    }
}
