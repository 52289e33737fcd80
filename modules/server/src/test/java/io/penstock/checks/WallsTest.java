package io.penstock.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The walls stand: between the modules' packages nothing is seen that should not be. */
class WallsTest {
    private static final List<String> MODULES =
            List.of("modules/frames", "modules/terminal", "modules/engine", "modules/server");
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.penstock");

    /** For each wall, sources that break it. The libraries stand in by their package names, so no wall waits for a dependency. */
    private static final Map<String, List<String>> TRESPASSERS = Map.ofEntries(
            Map.entry(
                    "framesKnowNothingOfTheRest",
                    List.of(
                            "package io.penstock.frames; class A { io.penstock.engine.B b; }",
                            "package io.penstock.engine; public class B {}")),
            Map.entry(
                    "framesArePure",
                    List.of("package io.penstock.frames; class A { java.time.Instant t = java.time.Instant.now(); }")),
            Map.entry(
                    "engineKnowsNoEdge",
                    List.of(
                            "package io.penstock.engine.log; class A { io.vertx.core.http.B b; }",
                            "package io.vertx.core.http; public class B {}")),
            Map.entry(
                    "edgesDoNotKnowEachOther",
                    List.of(
                            "package io.penstock.server.http.range; class A { io.penstock.server.ws.B b; }",
                            "package io.penstock.server.ws; public class B {}")),
            Map.entry(
                    "edgesUseTheDoor",
                    List.of(
                            "package io.penstock.server.http; class A { io.penstock.engine.log.store.B b; }",
                            "package io.penstock.engine.log.store; public class B {}")),
            Map.entry(
                    "sqlStaysInTheLog",
                    List.of(
                            "package io.penstock.engine.pump; class A { io.vertx.sqlclient.B b; }",
                            "package io.vertx.sqlclient; public class B {}")),
            Map.entry(
                    "pty4jIsSeenInOnePackage",
                    List.of(
                            "package io.penstock.engine.spawn; class A { com.pty4j.unix.B b; }",
                            "package io.penstock.engine.pump; class C { com.pty4j.unix.B b; }",
                            "package com.pty4j.unix; public class B {}")),
            Map.entry(
                    "celIsSeenInOnePackage",
                    List.of(
                            "package io.penstock.engine.policy; class A { dev.cel.runtime.B b; }",
                            "package io.penstock.engine.pump; class C { dev.cel.runtime.B b; }",
                            "package dev.cel.runtime; public class B {}")),
            Map.entry(
                    "patternsAreSeenInTwoPackages",
                    List.of(
                            "package io.penstock.engine.task; class A { com.google.re2j.B b; }",
                            "package com.google.re2j; public class B {}")),
            Map.entry(
                    "watchersKnowOnlyBytes",
                    List.of(
                            "package io.penstock.engine.watch; class A { io.penstock.frames.Frame b; }",
                            "package io.penstock.frames; public class Frame {}")),
            Map.entry(
                    "agentProtocolsKnowOnlyLines",
                    List.of(
                            "package io.penstock.engine.agent; class A { io.penstock.engine.task.B b; }",
                            "package io.penstock.engine.task; public class B {}")),
            Map.entry(
                    "nettyIsSeenInTwoPackages",
                    List.of(
                            "package io.penstock.server.ws; class C { io.netty.channel.B b; }",
                            "package io.netty.channel; public class B {}")),
            Map.entry(
                    "theTerminalIsAlone",
                    List.of(
                            "package io.penstock.terminal; class A { io.penstock.engine.log.B b; }",
                            "package io.penstock.engine.log; public class B {}")),
            Map.entry(
                    "tasksKnowNeitherShardsNorViewers",
                    List.of(
                            "package io.penstock.engine.task; class A { io.penstock.engine.pump.B b; }",
                            "package io.penstock.engine.pump; public class B {}")),
            Map.entry(
                    "viewsKnowNoShard",
                    List.of(
                            "package io.penstock.engine.view; class A { io.penstock.engine.pump.B b; }",
                            "package io.penstock.engine.pump; public class B {}")),
            Map.entry(
                    "theLinkerIsSeenInTwoPackages",
                    List.of("package io.penstock.engine.log; class A { java.lang.foreign.Linker b; }")),
            Map.entry(
                    "matchingKnowsNoProgram",
                    List.of(
                            "package io.penstock.engine.task.matching; class A { io.penstock.engine.launch.B b; }",
                            "package io.penstock.engine.launch; public class B {}")),
            Map.entry(
                    "parserKnowsNoScreen",
                    List.of(
                            "package io.penstock.terminal.parser; class A { io.penstock.terminal.grid.B b; }",
                            "package io.penstock.terminal.grid; public class B {}")),
            Map.entry(
                    "packagesHaveNoCycles",
                    List.of(
                            "package io.penstock.engine.log; public class A { io.penstock.engine.pump.B b; }",
                            "package io.penstock.engine.pump; public class B { io.penstock.engine.log.A a; }")));

    static Set<String> walls() {
        return Walls.ALL.keySet();
    }

    private static ArchRule wall(String name) {
        return Objects.requireNonNull(Walls.ALL.get(name), name).allowEmptyShould(true);
    }

    @ParameterizedTest
    @MethodSource("walls")
    void everyWallStands(String name) {
        wall(name).check(CLASSES);
    }

    @ParameterizedTest
    @MethodSource("walls")
    void everyWallCatchesItsTrespasser(String name, @TempDir Path folder) throws IOException {
        List<String> sources = Objects.requireNonNull(TRESPASSERS.get(name), () -> "no trespasser for " + name);
        var compiled = Snippets.compile(folder, sources);
        assertEquals(0, compiled.exitCode(), compiled.output());
        JavaClasses trespassers = new ClassFileImporter().importPath(compiled.classes());
        assertTrue(wall(name).evaluate(trespassers).hasViolation(), () -> name + " let pass: " + sources);
    }

    /** A type that no edge uses any longer leaves the list, so that the list stays short. */
    @Test
    void edgesUseEveryTypeOfTheDoor() {
        assertEquals(Set.of(), Door.unused(CLASSES));
    }

    @Test
    void noWayToAClockOrToChanceIsOverlooked(@TempDir Path folder) throws IOException {
        List<String> expressions = List.of(
                "System.currentTimeMillis()",
                "System.nanoTime()",
                "java.time.LocalDate.now()",
                "(java.util.function.Supplier<Object>) java.time.Instant::now",
                "java.time.Clock.systemUTC()",
                "new java.util.Date()",
                "new java.util.Random(1).nextInt()",
                "java.util.concurrent.ThreadLocalRandom.current()",
                "new java.security.SecureRandom()",
                "java.util.random.RandomGenerator.getDefault()",
                "java.util.UUID.randomUUID()",
                "Math.random()");
        List<String> sources = new ArrayList<>();
        for (String expression : expressions) {
            sources.add("package io.penstock.frames; class Impure%d { Object o() { return %s; } }"
                    .formatted(sources.size(), expression));
        }
        var compiled = Snippets.compile(folder, sources);
        assertEquals(0, compiled.exitCode(), compiled.output());
        String report = wall("framesArePure")
                .evaluate(new ClassFileImporter().importPath(compiled.classes()))
                .getFailureReport()
                .toString();
        for (int i = 0; i < expressions.size(); i++) {
            assertTrue(report.contains("io.penstock.frames.Impure" + i + "."), "overlooked: " + expressions.get(i));
        }
    }

    @Test
    void everyClassOfTheModulesWasScanned() {
        Set<String> scanned = CLASSES.stream().map(JavaClass::getName).collect(Collectors.toCollection(TreeSet::new));
        List<String> missed = new ArrayList<>();
        int files = 0;
        for (String module : MODULES) {
            Path classes = Checkout.classesOf(Checkout.ROOT.resolve(module));
            List<Path> found = Checkout.filesBelow(classes, ".class");
            assertFalse(found.isEmpty(), () -> classes + " has no classes: nothing would be scanned of it.");
            files += found.size();
            for (Path file : found) {
                String name =
                        classes.relativize(file).toString().replace('/', '.').replaceAll("\\.class$", "");
                if (!scanned.contains(name)) {
                    missed.add(name);
                }
            }
        }
        assertEquals(List.of(), missed, "not scanned");
        assertTrue(CLASSES.size() >= files, CLASSES.size() + " scanned, " + files + " exist");
    }

    /** NullAway checks only marked packages; a package without the mark would go unchecked. */
    @Test
    void everyPackageIsNullMarked() {
        Set<String> unmarked = CLASSES.stream()
                .filter(type -> !type.getPackage().isAnnotatedWith("org.jspecify.annotations.NullMarked"))
                .map(JavaClass::getPackageName)
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(Set.of(), unmarked, "packages whose package-info.java is missing or lacks @NullMarked");
    }
}
