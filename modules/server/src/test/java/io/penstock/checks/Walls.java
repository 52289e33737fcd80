package io.penstock.checks;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The walls between packages, each a rule. Some stand around packages without classes so far, and ArchUnit would call a rule
 * about no class a failure; so all allow it, and {@link WallsTest} shows instead that each one catches its own trespasser.
 */
final class Walls {
    private static final Set<String> EDGES = Set.of("http", "ws", "sse", "rpc", "mcp", "ops");

    /** The types of frames that watchers need. */
    private static final Set<String> WATCHED_VALUES =
            Set.of("Channel", "Limits", "Failure", "FailureCode", "WatchScope", "WholeCharacters");

    private static final String SERVER = "io.penstock.server.";

    static final ArchRule FRAMES_KNOW_NOTHING_OF_THE_REST = noClasses()
            .that()
            .resideInAPackage("io.penstock.frames..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.penstock.terminal..",
                    "io.penstock.engine..",
                    "io.penstock.server..",
                    "io.vertx..",
                    "io.netty..",
                    "java.sql..")
            .because("what happened and what it means must not depend on who runs it");

    static final ArchRule FRAMES_ARE_PURE = noClasses()
            .that()
            .resideInAPackage("io.penstock.frames..")
            .should()
            .accessTargetWhere(describe("a clock or chance is asked", Walls::asksClockOrChance))
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.time.Clock")
            .because("the state at any seq must be the same on every node, whenever it is computed");

    static final ArchRule ENGINE_KNOWS_NO_EDGE = noClasses()
            .that()
            .resideInAPackage("io.penstock.engine..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.penstock.server..", "io.vertx.ext.web..", "io.vertx.core.http..")
            .because("every edge is a skin over one door, and the engine must not know which");

    static final ArchRule EDGES_DO_NOT_KNOW_EACH_OTHER = slices().assignedFrom(new Edges())
            .should()
            .notDependOnEachOther()
            .because("an edge can then be read, changed and left out alone");

    static final ArchRule EDGES_USE_THE_DOOR = noClasses()
            .that()
            .resideInAPackage("io.penstock.server.*..")
            .should()
            .dependOnClassesThat(describe("are behind the engine's door", Door::isBehind))
            .because("the engine can change behind its door without a change of any edge");

    static final ArchRule SQL_STAYS_IN_THE_LOG = noClasses()
            .that()
            .resideOutsideOfPackages("io.penstock.engine.log..", "io.penstock.engine.ledger..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.vertx.pgclient..", "io.vertx.sqlclient..")
            .because("only the log knows where facts are kept");

    static final ArchRule THE_TERMINAL_IS_ALONE = noClasses()
            .that()
            .resideInAPackage("io.penstock.terminal..")
            .should()
            .dependOnClassesThat(describe(
                    "are Penstock's, but of another module, or a library's",
                    other -> !(other.getPackageName() + ".").startsWith("io.penstock.terminal.")
                            && !other.getBaseComponentType().isPrimitive()
                            && !other.getPackageName().startsWith("java.")
                            && !other.getPackageName().startsWith("org.jspecify.")))
            .because("what bytes make of a screen depends on nothing but these bytes");

    static final ArchRule TASKS_KNOW_NEITHER_SHARDS_NOR_VIEWERS = noClasses()
            .that()
            .resideInAPackage("io.penstock.engine.task..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.penstock.engine.pump..", "io.penstock.engine.view..")
            .because("a living task is driven by its shard and read by viewers, and depends on neither");

    static final ArchRule VIEWS_KNOW_NO_SHARD = noClasses()
            .that()
            .resideInAPackage("io.penstock.engine.view..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.penstock.engine.pump..")
            .because("viewers read the log and the artifacts, wherever the task runs");

    static final ArchRule PTY4J_IS_SEEN_IN_ONE_PACKAGE = seenInOnePackage("com.pty4j");

    static final ArchRule CEL_IS_SEEN_IN_ONE_PACKAGE = seenInOnePackage("dev.cel");

    static final ArchRule PATTERNS_ARE_SEEN_IN_TWO_PACKAGES = noClasses()
            .that()
            .resideOutsideOfPackages("io.penstock.engine.policy", "io.penstock.engine.watch")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.google.re2j..")
            .because(
                    "some patterns exhaust the compiler or never let it end, and the owner of a pattern must know which");

    static final ArchRule WATCHERS_KNOW_ONLY_BYTES = noClasses()
            .that()
            .resideInAPackage("io.penstock.engine.watch..")
            .should()
            .dependOnClassesThat(describe(
                    "are Penstock's, but neither watchers nor values of frames, or Vert.x's",
                    other -> other.getPackageName().startsWith("io.vertx.")
                            || (other.getPackageName().startsWith("io.penstock.")
                                    && !other.getPackageName().equals("io.penstock.engine.watch")
                                    && !WATCHED_VALUES.contains(other.getSimpleName()))))
            .because("a watcher's matches depend on bytes alone, whatever their source");

    static final ArchRule AGENT_PROTOCOLS_KNOW_ONLY_LINES = noClasses()
            .that()
            .resideInAPackage("io.penstock.engine.agent..")
            .should()
            .dependOnClassesThat(describe(
                    "are neither protocols nor lines nor frames nor JSON",
                    other -> (other.getPackageName().startsWith("io.penstock.")
                                    && !other.getPackageName().startsWith("io.penstock.engine.agent")
                                    && !other.getPackageName().equals("io.penstock.engine.lines")
                                    && !other.getPackageName().equals("io.penstock.frames"))
                            || (other.getPackageName().startsWith("io.vertx.")
                                    && !other.getPackageName().equals("io.vertx.core.json"))))
            .because("an agent program is spoken to in lines, whoever started it and whatever is made of its events");

    static final ArchRule NETTY_IS_SEEN_IN_TWO_PACKAGES = noClasses()
            .that()
            .resideOutsideOfPackages("io.penstock.engine.spawn.epoll", "io.penstock.server.rpc")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.netty..")
            .because("Vert.x is what all others see of it, except where it has no word for a descriptor or a socket");

    static final ArchRule THE_LINKER_IS_SEEN_IN_TWO_PACKAGES = noClasses()
            .that()
            .resideOutsideOfPackages("io.penstock.engine.spawn.linux.libc", "io.penstock.engine.artifact.hole")
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.lang.foreign.Linker")
            .because(
                    "a wrong signature of a native function ends the process, so all are declared where they are wrapped");

    static final ArchRule MATCHING_KNOWS_NO_PROGRAM = noClasses()
            .that()
            .resideInAPackage("io.penstock.engine.task.matching..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.penstock.engine.spawn..", "io.penstock.engine.launch..", "io.penstock.engine.task")
            .because("watchers match output as frames record it, whatever writes it");

    static final ArchRule PARSER_KNOWS_NO_SCREEN = noClasses()
            .that()
            .resideInAPackage("io.penstock.terminal.parser..")
            .should()
            .dependOnClassesThat(describe(
                    "are the terminal's, but neither the parser nor the count of work",
                    other -> (other.getPackageName() + ".").startsWith("io.penstock.terminal.")
                            && !other.getPackageName().startsWith("io.penstock.terminal.parser")
                            && !other.getSimpleName().equals("Work")))
            .because("how bytes are cut into sequences does not depend on what they draw");

    static final ArchRule PACKAGES_HAVE_NO_CYCLES = slices().matching("io.penstock.(**)")
            .should()
            .beFreeOfCycles()
            .because("what leans on itself cannot be read in an order");

    static final Map<String, ArchRule> ALL = new TreeMap<>(Map.ofEntries(
            Map.entry("framesKnowNothingOfTheRest", FRAMES_KNOW_NOTHING_OF_THE_REST),
            Map.entry("framesArePure", FRAMES_ARE_PURE),
            Map.entry("engineKnowsNoEdge", ENGINE_KNOWS_NO_EDGE),
            Map.entry("edgesDoNotKnowEachOther", EDGES_DO_NOT_KNOW_EACH_OTHER),
            Map.entry("edgesUseTheDoor", EDGES_USE_THE_DOOR),
            Map.entry("sqlStaysInTheLog", SQL_STAYS_IN_THE_LOG),
            Map.entry("pty4jIsSeenInOnePackage", PTY4J_IS_SEEN_IN_ONE_PACKAGE),
            Map.entry("celIsSeenInOnePackage", CEL_IS_SEEN_IN_ONE_PACKAGE),
            Map.entry("patternsAreSeenInTwoPackages", PATTERNS_ARE_SEEN_IN_TWO_PACKAGES),
            Map.entry("watchersKnowOnlyBytes", WATCHERS_KNOW_ONLY_BYTES),
            Map.entry("agentProtocolsKnowOnlyLines", AGENT_PROTOCOLS_KNOW_ONLY_LINES),
            Map.entry("nettyIsSeenInTwoPackages", NETTY_IS_SEEN_IN_TWO_PACKAGES),
            Map.entry("theTerminalIsAlone", THE_TERMINAL_IS_ALONE),
            Map.entry("theLinkerIsSeenInTwoPackages", THE_LINKER_IS_SEEN_IN_TWO_PACKAGES),
            Map.entry("matchingKnowsNoProgram", MATCHING_KNOWS_NO_PROGRAM),
            Map.entry("parserKnowsNoScreen", PARSER_KNOWS_NO_SCREEN),
            Map.entry("packagesHaveNoCycles", PACKAGES_HAVE_NO_CYCLES),
            Map.entry("tasksKnowNeitherShardsNorViewers", TASKS_KNOW_NEITHER_SHARDS_NOR_VIEWERS),
            Map.entry("viewsKnowNoShard", VIEWS_KNOW_NO_SHARD)));

    private Walls() {}

    /** The methods and constructors by which a clock or chance comes in; a java.time type as a value is fine. */
    private static boolean asksClockOrChance(JavaAccess<?> access) {
        JavaClass owner = access.getTargetOwner();
        String name = access.getTarget().getName();
        return switch (owner.getName()) {
            case "java.lang.System" -> name.equals("currentTimeMillis") || name.equals("nanoTime");
            case "java.lang.Math", "java.lang.StrictMath" -> name.equals("random");
            case "java.util.UUID" -> name.equals("randomUUID");
            case "java.util.Date", "java.util.Collections" -> name.equals("<init>") || name.equals("shuffle");
            default ->
                owner.getName().startsWith("java.util.random.")
                        || owner.isAssignableTo("java.util.Random")
                        || owner.getName().equals("java.util.SplittableRandom")
                        || (owner.getPackageName().startsWith("java.time") && name.equals("now"));
        };
    }

    private static ArchRule seenInOnePackage(String library) {
        return ArchRuleDefinition.classes()
                .that(DescribedPredicate.describe("use " + library, user -> uses(user, library)))
                .should(new AllLiveInOnePackage())
                .because("whatever is odd about " + library + " is then dealt with in one place");
    }

    private static boolean uses(JavaClass user, String library) {
        return user.getDirectDependenciesFromSelf().stream()
                .anyMatch(dependency -> (dependency
                                        .getTargetClass()
                                        .getBaseComponentType()
                                        .getPackageName() + ".")
                        .startsWith(library + "."));
    }

    /** Each edge is a slice, with the packages below it; all other packages belong to none. */
    private static final class Edges implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
            String name = javaClass.getPackageName();
            String room =
                    name.startsWith(SERVER) ? name.substring(SERVER.length()).replaceAll("\\..*", "") : "";
            return EDGES.contains(room) ? SliceIdentifier.of(room) : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "the edges " + new TreeSet<>(EDGES);
        }
    }

    private static final class AllLiveInOnePackage extends ArchCondition<JavaClass> {
        private final Set<String> packages = new TreeSet<>();

        AllLiveInOnePackage() {
            super("all live in one package");
        }

        @Override
        public void check(JavaClass user, ConditionEvents events) {
            packages.add(user.getPackageName());
        }

        @Override
        public void finish(ConditionEvents events) {
            if (packages.size() > 1) {
                events.add(SimpleConditionEvent.violated(packages, "it is used in the packages " + packages));
            }
            packages.clear(); // the rule may be asked again
        }
    }
}
